package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rule 6: without the table of the fence nothing is written, and the error says what to do. */
@Timeout(60)
class Rule06MissingTableTest {

  static class Beans {
    @Bean
    DataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:rule06-missing");
      return source;
    }

    @Bean
    JdbcTransactionManager manager(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    TransactionFence fence() {
      return new SqlTransactionFence("app_fence", false);
    }
  }

  static class Stock {
    final TransactionTemplate transaction;

    Stock(JdbcTransactionManager manager) {
      transaction = new TransactionTemplate(manager);
    }

    @Locked(name = "stock/{#id}", fence = true)
    void take(long id) {
      transaction.executeWithoutResult(status -> {});
    }

    @Locked(name = "stock/{#id}", fence = true)
    boolean withoutTransaction(long id) {
      return Holds.require().isHeld();
    }

    @Locked(name = "stock/{#id}", fence = true, side = LockSide.READ)
    void count(long id) {
      transaction.executeWithoutResult(status -> {});
    }
  }

  @Test
  void theErrorNamesThePropertyAndWhatItDoes() {
    try (AnnotationConfigApplicationContext context =
        MemoryContext.start(Beans.class, Stock.class)) {
      Stock stock = context.getBean(Stock.class);
      assertThatThrownBy(() -> stock.take(7))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("the fence of \"stock/7\" has no table app_fence")
          .hasMessageContaining(
              "set holdfast.fence.create=true, which creates it before the first claim")
          .hasMessageContaining("new SqlTransactionFence(\"app_fence\", true)")
          .hasMessageContaining("CREATE TABLE")
          .hasMessageNotContaining("createTable()");
      assertThatThrownBy(() -> stock.count(7))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("holdfast.fence.create=true");
    }
  }

  /** It does not even notice that the table is missing. */
  @Test
  void aMethodThatBeginsNoTransactionClaimsNothing() {
    try (AnnotationConfigApplicationContext context =
        MemoryContext.start(Beans.class, Stock.class)) {
      assertThat(context.getBean(Stock.class).withoutTransaction(7)).isTrue();
    }
  }

  @Test
  void theNameOfTheTableMustBePlain() {
    assertThatThrownBy(() -> new SqlTransactionFence("my fence", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table must be a plain SQL name");
  }
}
