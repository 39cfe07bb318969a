package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rule 6: the fences of several holds are claimed in the order of their names, each once. */
@Timeout(60)
class Rule06ClaimOrderTest {

  static class Beans {
    @Bean
    DataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:rule06");
      return source;
    }

    @Bean
    JdbcTransactionManager manager(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    Recorder fence() {
      return new Recorder();
    }
  }

  /** A fence of the application's own. */
  static class Recorder implements TransactionFence {
    final List<String> claims = new ArrayList<>();

    @Override
    public void claim(DataSource source, Connection connection, Hold hold, boolean shared) {
      claims.add(hold.name() + (shared ? " shared" : ""));
    }
  }

  static class Outer {
    final Inner inner;

    Outer(Inner inner) {
      this.inner = inner;
    }

    @Locked(name = "{#names}", fence = true)
    void calls(List<String> names) {
      inner.writes();
    }
  }

  static class Inner {
    final TransactionTemplate transaction;

    Inner(JdbcTransactionManager manager) {
      transaction = new TransactionTemplate(manager);
    }

    @Locked(name = "m", side = LockSide.READ, fence = true)
    void writes() {
      transaction.executeWithoutResult(status -> {});
    }
  }

  @Test
  void claimsAreInTheOrderOfNames() {
    try (AnnotationConfigApplicationContext context =
        MemoryContext.start(Beans.class, Outer.class, Inner.class)) {
      Recorder fence = context.getBean(Recorder.class);
      Outer outer = context.getBean(Outer.class);
      outer.calls(List.of("z", "a"));
      assertThat(fence.claims).containsExactly("a", "m shared", "z");
    }
  }
}
