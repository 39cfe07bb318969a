package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rule 3: a session that is bound without a transaction, by the propagation SUPPORTS. */
@Timeout(60)
class Rule03SupportsTest {

  static class Reader {
    @PersistenceContext EntityManager entities;

    @Locked("reader")
    public int read() {
      return entities.find(Rule03SessionRules.Item.class, 1).qty;
    }

    @Locked("reader")
    public void fail() {
      entities.find(Rule03SessionRules.Item.class, 1);
      throw new IllegalArgumentException("of the method");
    }
  }

  private AnnotationConfigApplicationContext context;
  private Rule03SessionRules.Items items;
  private TransactionTemplate supports;

  @BeforeEach
  void start() {
    context =
        DatabaseContext.start(
            "jdbc:h2:mem:supports;DB_CLOSE_DELAY=-1",
            Map.of(),
            Rule03SessionRules.Jpa.class,
            Reader.class);
    items = context.getBean(Rule03SessionRules.Items.class);
    items.reset();
    supports = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    supports.setName("outer");
    supports.setReadOnly(true);
    supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
  }

  @AfterEach
  void stop() {
    context.close();
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
  }

  @Test
  void aTransactionBeginsUnderTheLockAndTheScopeGoesOn() {
    int before = items.read();
    supports.executeWithoutResult(
        scope -> {
          assertThat(items.read()).isEqualTo(before);
          items.decrement(1);
          assertThat(TransactionSynchronizationManager.getCurrentTransactionName())
              .isEqualTo("outer");
          assertThat(TransactionSynchronizationManager.isCurrentTransactionReadOnly()).isTrue();
          // The scope has its own session again.
          assertThat(items.read()).isEqualTo(before);
        });
    assertThat(items.read()).isEqualTo(before - 1);
  }

  /** Without a transaction under the lock, the method must not see what the scope has read. */
  @Test
  void aMethodWithoutATransactionReadsAfresh() throws Exception {
    Reader reader = context.getBean(Reader.class);
    int before = items.read();
    supports.executeWithoutResult(
        scope -> {
          assertThat(items.read()).isEqualTo(before);
          Threads.run(() -> items.decrement(1)).join();
          assertThat(reader.read()).isEqualTo(before - 1);
          assertThatThrownBy(reader::fail).hasMessage("of the method");
        });
  }
}
