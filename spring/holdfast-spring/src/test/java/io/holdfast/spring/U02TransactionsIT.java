package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** U02, rules 1, 2 and 5: the lock is released after the commit, and no update is lost. */
@Timeout(120)
class U02TransactionsIT {

  private static final String POSTGRESQL = "PostgreSQL";
  private static final String MARIADB = "MariaDB";
  private static final int UPDATES = 200;

  private static PostgresServer postgres;
  private static MariaDbServer mariadb;
  private static final Map<String, String> URLS = new LinkedHashMap<>();
  private static final Map<String, AnnotationConfigApplicationContext> CONTEXTS =
      new LinkedHashMap<>();

  static class Stock {
    final JdbcTemplate jdbc;
    final Holdfast holdfast;

    Stock(JdbcTemplate jdbc, Holdfast holdfast) {
      this.jdbc = jdbc;
      this.holdfast = holdfast;
    }

    @Locked("stock/{#id}")
    @Transactional
    public void decrement(int id) {
      Integer seen = jdbc.queryForObject("select qty from stock where id = ?", Integer.class, id);
      jdbc.update("update stock set qty = ? where id = ?", seen - 1, id);
    }

    @Locked("stock/{#id}")
    @Transactional
    public void decrementAndLose(int id) {
      jdbc.update("update stock set qty = qty - 1 where id = ?", id);
      Operators.takeAway(holdfast, Holds.require());
    }

    String database = "";
  }

  /** Calls the locked method in a transaction that had begun before. */
  static class Outer {
    final Stock stock;
    final JdbcTemplate jdbc;
    final Holdfast holdfast;

    Outer(Stock stock, JdbcTemplate jdbc, Holdfast holdfast) {
      this.stock = stock;
      this.jdbc = jdbc;
      this.holdfast = holdfast;
    }

    private void read() {
      jdbc.queryForObject("select qty from stock where id = 1", Integer.class);
    }

    @Transactional
    public void defaultIsolation() {
      read();
      stock.decrement(1);
    }

    @Transactional(isolation = Isolation.READ_COMMITTED)
    public void readCommitted() {
      read();
      stock.decrement(1);
    }

    @Transactional(isolation = Isolation.REPEATABLE_READ)
    public void repeatableRead() {
      read();
      stock.decrement(1);
    }

    @Transactional(isolation = Isolation.READ_COMMITTED)
    public List<String> twice(boolean fail) {
      stock.decrement(1);
      List<String> held = Operators.names(holdfast);
      stock.decrement(1);
      if (fail) {
        throw new IllegalStateException("rolled back");
      }
      return held;
    }

    @Transactional(isolation = Isolation.READ_COMMITTED)
    public void loses() {
      stock.decrement(1);
      HoldChain.all().forEach(held -> Operators.takeAway(holdfast, held.hold()));
    }

    @Transactional(propagation = Propagation.SUPPORTS)
    public void withoutTransaction() {
      stock.decrement(1);
    }

    @Transactional
    public String refusedAndGoesOn() {
      jdbc.update("update stock set qty = 77 where id = 1");
      try {
        stock.decrement(1);
        return "not refused";
      } catch (IllegalStateException e) {
        return e.getMessage() + " " + Operators.names(holdfast);
      }
    }
  }

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start();
    mariadb = MariaDbServer.start();
    mariadb.createDatabase("app");
    URLS.put(POSTGRESQL, postgres.jdbcUri(PostgresServer.DATABASE, postgres.user()));
    URLS.put(MARIADB, mariadb.jdbcUri("app", mariadb.user()));
    URLS.forEach(
        (database, url) -> {
          for (String policy : List.of("refuse", "release", "defer", "other-machine")) {
            InTransaction inTransaction =
                switch (policy) {
                  case "release" -> InTransaction.RELEASE;
                  case "defer" -> InTransaction.DEFER;
                  default -> InTransaction.REFUSE;
                };
            CONTEXTS.put(
                policy + "/" + database,
                DatabaseContext.start(
                    url,
                    Map.of("in-transaction", inTransaction),
                    DatabaseContext.JdbcTransactions.class,
                    Stock.class,
                    Outer.class));
          }
          bean(JdbcTemplate.class, "refuse", database)
              .execute("create table stock (id int primary key, qty int not null)");
        });
  }

  @AfterAll
  static void stop() {
    CONTEXTS.values().forEach(AnnotationConfigApplicationContext::close);
    List<AutoCloseable> servers = new ArrayList<>();
    servers.add(postgres);
    servers.add(mariadb);
    servers.forEach(
        server -> {
          try {
            server.close();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static <T> T bean(Class<T> type, String policy, String database) {
    return CONTEXTS.get(policy + "/" + database).getBean(type);
  }

  private static void stock(String database, int quantity) {
    JdbcTemplate jdbc = bean(JdbcTemplate.class, "refuse", database);
    jdbc.update("delete from stock");
    jdbc.update("insert into stock values (1, ?)", quantity);
  }

  private static int left(String database) {
    return bean(JdbcTemplate.class, "refuse", database)
        .queryForObject("select qty from stock where id = 1", Integer.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void noUpdateIsLostWhenTheLockIsOutside(String database) throws Exception {
    stock(database, UPDATES);
    Stock here = bean(Stock.class, "refuse", database);
    Stock there = bean(Stock.class, "other-machine", database);
    List<Throwable> failures =
        DatabaseContext.race(UPDATES, i -> (i % 2 == 0 ? here : there).decrement(1));
    Figure.print("%s, lock outside of the transaction: %d of 200 lost", database, left(database));
    assertThat(failures).isEmpty();
    assertThat(left(database)).isZero();
  }

  /** The same race can lose updates: this is what the order is for. */
  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void updatesAreLostWhenTheLockIsInside(String database) throws Exception {
    stock(database, UPDATES);
    Outer outer = bean(Outer.class, "release", database);
    List<Throwable> failures = DatabaseContext.race(UPDATES, i -> outer.readCommitted());
    int lost = left(database) - failures.size();
    Figure.print("%s, lock inside of the transaction: %d of 200 lost", database, lost);
    assertThat(lost).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void rule02AnActiveTransactionIsRefused(String database) {
    stock(database, 5);
    assertThat(bean(Outer.class, "refuse", database).refusedAndGoesOn())
        .contains("@Locked on", "Stock.decrement does not acquire [stock/1]")
        .contains("outside of transactions")
        .contains("holdfast.locked.in-transaction=defer")
        .endsWith("[]");
    assertThat(left(database)).isEqualTo(77);
    bean(Outer.class, "refuse", database).withoutTransaction();
    assertThat(left(database)).isEqualTo(76);
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void rule02ADeferredLockLosesNothingAtReadCommitted(String database) throws Exception {
    stock(database, 100);
    Outer outer = bean(Outer.class, "defer", database);
    assertThat(DatabaseContext.race(100, i -> outer.readCommitted())).isEmpty();
    assertThat(left(database)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void rule02ADeferredLockIsRefusedAtRepeatableRead(String database) {
    stock(database, 5);
    Outer outer = bean(Outer.class, "defer", database);
    assertThatThrownBy(outer::repeatableRead)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REPEATABLE READ or above");
    if (database.equals(MARIADB)) {
      // The default of this database, which nobody declared.
      assertThatThrownBy(outer::defaultIsolation).hasMessageContaining("REPEATABLE READ");
      assertThat(left(database)).isEqualTo(5);
    } else {
      outer.defaultIsolation();
      assertThat(left(database)).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void rule04ADeferredLockIsJoinedAndEndsWithTheTransaction(String database) {
    stock(database, 5);
    Outer outer = bean(Outer.class, "defer", database);
    assertThat(outer.twice(false)).as("held after the method").containsExactly("stock/1");
    assertThat(left(database)).isEqualTo(3);
    Operators.awaitEmpty(bean(Holdfast.class, "defer", database));
    assertThatThrownBy(() -> outer.twice(true)).hasMessage("rolled back");
    assertThat(left(database)).isEqualTo(3);
    Operators.awaitEmpty(bean(Holdfast.class, "defer", database));
    assertThat(Holds.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {POSTGRESQL, MARIADB})
  void rule05ACommitUnderAKnownLossIsRolledBack(String database) {
    stock(database, 5);
    Stock here = bean(Stock.class, "refuse", database);
    assertThatThrownBy(() -> here.decrementAndLose(1)).isInstanceOf(LockLostException.class);
    assertThat(left(database)).isEqualTo(5);
    Outer outer = bean(Outer.class, "defer", database);
    assertThatThrownBy(outer::loses).isInstanceOf(LockLostException.class);
    assertThat(left(database)).isEqualTo(5);
    assertThat(Holds.all()).isEmpty();
  }
}
