package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import io.holdfast.spring.boot.test.AutoConfigureHoldfast;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Locked methods in tests that run in a transaction, which is rolled back. */
class TransactionalTestsTest {

  static class Guarded {
    @Locked("x")
    public String name() {
      return Holds.require().name();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Guarded.class)
  static class App {
    @Bean
    DataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:transactional-tests");
      return source;
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource source) {
      return new JdbcTransactionManager(source);
    }
  }

  private static boolean isFree(Holdfast holdfast) throws InterruptedException {
    try (Hold hold = holdfast.lock("x").tryAcquire().orElse(null)) {
      return hold != null;
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  @AutoConfigureHoldfast
  @Transactional
  class ByDefault {
    @Autowired Guarded guarded;

    @Test
    void aLockedMethodIsRefused() {
      assertThatThrownBy(guarded::name)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transaction");
    }

    @Test
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void itIsNotWithoutTheTransactionOfTheTest() {
      assertThat(guarded.name()).isEqualTo("x");
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  @AutoConfigureHoldfast
  @TestPropertySource(properties = "holdfast.locked.in-transaction=defer")
  @Transactional
  class Deferred {
    @Autowired Guarded guarded;
    @Autowired Holdfast holdfast;

    @Test
    void theLockIsHeldUntilTheRollback() throws Exception {
      assertThat(guarded.name()).isEqualTo("x");
      assertThat(isFree(holdfast)).isFalse();
      assertThat(guarded.name()).as("joined").isEqualTo("x");
    }

    @AfterTransaction
    void itIsFreeAfterwards() throws Exception {
      assertThat(isFree(holdfast)).isTrue();
    }
  }
}
