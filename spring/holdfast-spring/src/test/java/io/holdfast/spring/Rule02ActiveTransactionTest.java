package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/**
 * Rule 2: what is refused inside of an active transaction besides a plain locked method, and why.
 * What gets lost otherwise is shown by {@link U02TransactionRules}.
 */
@Timeout(60)
class Rule02ActiveTransactionTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private AnnotationConfigApplicationContext context;
  private Work work;
  private PlatformTransactionManager main;
  private PlatformTransactionManager opaque;

  static class Beans {
    @Bean
    static LockedSettings settings(Environment environment) {
      return LockedSettings.DEFAULTS.withInTransaction(
          environment.getRequiredProperty("in-transaction", InTransaction.class));
    }

    @Bean
    DataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:rule02;DB_CLOSE_DELAY=-1");
      return source;
    }

    @Bean
    JdbcTransactionManager main(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean(defaultCandidate = false)
    PlatformTransactionManager opaque() {
      return new Opaque();
    }

    @Bean
    TransactionFence fence() {
      return new SqlTransactionFence(SqlTransactionFence.DEFAULT_TABLE, true);
    }
  }

  /** Of a store whose isolation nobody can ask for. */
  static class Opaque extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  static class Work {
    @Locked("x")
    String blocking() {
      return Holds.require().name();
    }

    @Locked(name = "x", fence = true)
    String fenced() {
      return Holds.require().name();
    }

    @Locked("x")
    CompletableFuture<String> future() {
      return CompletableFuture.completedFuture("ran");
    }

    @Locked("x")
    Mono<String> publisher() {
      return Mono.just("ran");
    }

    @RunOnce(name = "once", every = "1h")
    void once() {}
  }

  private void start(InTransaction policy) {
    context = MemoryContext.start(Map.of("in-transaction", policy), Beans.class, Work.class);
    work = context.getBean(Work.class);
    main = context.getBean("main", PlatformTransactionManager.class);
    opaque = context.getBean("opaque", PlatformTransactionManager.class);
  }

  @AfterEach
  void nothingIsLeft() {
    Operators.awaitEmpty(context.getBean(Holdfast.class));
    assertThat(Holds.all()).isEmpty();
    context.close();
  }

  private static <T> T in(PlatformTransactionManager manager, int isolation, Supplier<T> body) {
    TransactionTemplate transaction = new TransactionTemplate(manager);
    transaction.setIsolationLevel(isolation);
    return transaction.execute(status -> body.get());
  }

  private <T> T inMain(Supplier<T> body) {
    return in(main, TransactionDefinition.ISOLATION_READ_COMMITTED, body);
  }

  @Test
  void whatReturnsBeforeItsHoldEndsIsRefused() {
    for (InTransaction policy : new InTransaction[] {InTransaction.REFUSE, InTransaction.DEFER}) {
      start(policy);
      assertThatThrownBy(() -> inMain(work::future))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Work.future does not acquire [x]")
          .hasMessageContaining("a transaction is active");
      assertThatThrownBy(() -> inMain(work::publisher))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Work.publisher does not acquire [x]");
      context.close();
    }
    start(InTransaction.RELEASE);
    assertThat(inMain(() -> work.future().orTimeout(10, TimeUnit.SECONDS).join())).isEqualTo("ran");
    assertThat(inMain(() -> work.publisher().block(LONG))).isEqualTo("ran");
  }

  @Test
  void aFenceNeedsTransactionsThatBeginUnderTheHold() {
    start(InTransaction.DEFER);
    assertThatThrownBy(() -> inMain(work::fenced))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("fence = true needs transactions that begin under the hold");
    assertThat(work.fenced()).isEqualTo("x");
  }

  @Test
  void aRunIsRefused() {
    for (InTransaction policy : InTransaction.values()) {
      start(policy);
      assertThatThrownBy(
              () ->
                  inMain(
                      () -> {
                        work.once();
                        return "ran";
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the period would be marked as done before its commit");
      context.close();
    }
    start(InTransaction.REFUSE);
    work.once();
  }

  @Test
  void aDeferredLockNeedsAKnownIsolation() {
    start(InTransaction.DEFER);
    assertThatThrownBy(
            () -> in(opaque, TransactionDefinition.ISOLATION_DEFAULT, () -> work.blocking()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a transaction of unknown isolation is active")
        .hasMessageContaining("READ_COMMITTED");
    assertThatThrownBy(
            () -> in(opaque, TransactionDefinition.ISOLATION_SERIALIZABLE, () -> work.blocking()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REPEATABLE READ or above");
    String held =
        in(
            opaque,
            TransactionDefinition.ISOLATION_READ_COMMITTED,
            () -> work.blocking() + Operators.names(context.getBean(Holdfast.class)));
    assertThat(held).as("held after the method").isEqualTo("x[x]");
  }
}
