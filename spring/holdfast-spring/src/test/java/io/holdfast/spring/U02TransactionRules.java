package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** U02, rules 1, 2 and 5: the lock is released after the commit, and no update is lost. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class U02TransactionRules {

  private static final int UPDATES = 200;

  static class Stock {
    final JdbcTemplate jdbc;
    final Holdfast holdfast;
    final TransactionTemplate transaction;

    Stock(JdbcTemplate jdbc, Holdfast holdfast, TransactionTemplate transaction) {
      this.jdbc = jdbc;
      this.holdfast = holdfast;
      this.transaction = transaction;
    }

    @Locked("stock/{#id}")
    @Transactional
    public void decrement(int id) {
      decrementHere(id);
    }

    /** Does not commit before somebody else waits for the lock. */
    @Locked("stock/{#id}")
    @Transactional
    public void decrementAndCommitLate(int id, BooleanSupplier rivalWaits) {
      decrementHere(id);
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              Await.until("a rival", Operators.BOUND, rivalWaits::getAsBoolean);
            }
          });
    }

    @Locked("stock/{#id}")
    public void decrementByTemplate(int id) {
      transaction.executeWithoutResult(status -> decrementHere(id));
    }

    private void decrementHere(int id) {
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

  private final DatabaseServer database;
  private final Map<String, AnnotationConfigApplicationContext> contexts = new LinkedHashMap<>();

  U02TransactionRules(DatabaseServer database) {
    this.database = database;
  }

  @BeforeAll
  void start() {
    String url = database.create().apply("transactions");
    for (String policy : List.of("refuse", "release", "defer", "other-machine")) {
      InTransaction inTransaction =
          switch (policy) {
            case "release" -> InTransaction.RELEASE;
            case "defer" -> InTransaction.DEFER;
            default -> InTransaction.REFUSE;
          };
      contexts.put(
          policy,
          DatabaseContext.start(
              url,
              Map.of("in-transaction", inTransaction),
              DatabaseContext.JdbcTransactions.class,
              Stock.class,
              Outer.class));
    }
    bean(JdbcTemplate.class, "refuse")
        .execute("create table stock (id int primary key, qty int not null)");
  }

  @AfterAll
  void stop() {
    contexts.values().forEach(AnnotationConfigApplicationContext::close);
  }

  private <T> T bean(Class<T> type, String policy) {
    return contexts.get(policy).getBean(type);
  }

  private void stock(int quantity) {
    JdbcTemplate jdbc = bean(JdbcTemplate.class, "refuse");
    jdbc.update("delete from stock");
    jdbc.update("insert into stock values (1, ?)", quantity);
  }

  private int left() {
    return bean(JdbcTemplate.class, "refuse")
        .queryForObject("select qty from stock where id = 1", Integer.class);
  }

  @Test
  void noUpdateIsLostWhenTheLockIsOutside() throws Exception {
    stock(UPDATES);
    Stock here = bean(Stock.class, "refuse");
    Stock there = bean(Stock.class, "other-machine");
    List<Throwable> failures =
        DatabaseContext.race(UPDATES, i -> (i % 2 == 0 ? here : there).decrement(1));
    Figure.print("%s, lock outside of the transaction: %d of 200 lost", database.label(), left());
    assertThat(failures).isEmpty();
    assertThat(left()).isZero();
  }

  @Test
  void noUpdateOfATransactionTemplateInsideOfTheLockIsLost() throws Exception {
    stock(UPDATES);
    Stock here = bean(Stock.class, "refuse");
    Stock there = bean(Stock.class, "other-machine");
    List<Throwable> failures =
        DatabaseContext.race(UPDATES, i -> (i % 2 == 0 ? here : there).decrementByTemplate(1));
    assertThat(failures).isEmpty();
    assertThat(left()).isZero();
  }

  /** A rival that waits through a slow commit reads what was committed. */
  @Test
  void theLockIsKeptThroughASlowCommit() throws Exception {
    stock(5);
    Stock here = bean(Stock.class, "refuse");
    Stock there = bean(Stock.class, "other-machine");
    Holdfast rival = bean(Holdfast.class, "other-machine");
    CompletableFuture<?> slow =
        Threads.run(() -> here.decrementAndCommitLate(1, () -> rival.stats().waiting() > 0));
    Await.until(
        "the lock",
        Operators.BOUND,
        () -> !Operators.isFree(bean(Holdfast.class, "refuse"), "stock/1"));
    there.decrement(1);
    slow.get(30, TimeUnit.SECONDS);
    assertThat(left()).isEqualTo(3);
  }

  /** The same race can lose updates: this is what the order is for. */
  @Test
  void updatesAreLostWhenTheLockIsInside() throws Exception {
    stock(UPDATES);
    Outer outer = bean(Outer.class, "release");
    List<Throwable> failures = DatabaseContext.race(UPDATES, i -> outer.readCommitted());
    int lost = left() - failures.size();
    Figure.print("%s, lock inside of the transaction: %d of 200 lost", database.label(), lost);
    assertThat(lost).isPositive();
  }

  @Test
  void rule02AnActiveTransactionIsRefused() {
    stock(5);
    assertThat(bean(Outer.class, "refuse").refusedAndGoesOn())
        .contains("@Locked on", "Stock.decrement does not acquire [stock/1]")
        .contains("outside of transactions")
        .contains("holdfast.locked.in-transaction=defer")
        .endsWith("[]");
    assertThat(left()).isEqualTo(77);
    bean(Outer.class, "refuse").withoutTransaction();
    assertThat(left()).isEqualTo(76);
  }

  @Test
  void rule02ADeferredLockLosesNothingAtReadCommitted() throws Exception {
    stock(100);
    Outer outer = bean(Outer.class, "defer");
    assertThat(DatabaseContext.race(100, i -> outer.readCommitted())).isEmpty();
    assertThat(left()).isZero();
  }

  @Test
  void rule02ADeferredLockIsRefusedAtRepeatableRead() {
    stock(5);
    Outer outer = bean(Outer.class, "defer");
    assertThatThrownBy(outer::repeatableRead)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REPEATABLE READ or above");
    if (database.repeatableRead()) {
      // The default of this database, which nobody declared.
      assertThatThrownBy(outer::defaultIsolation).hasMessageContaining("REPEATABLE READ");
      assertThat(left()).isEqualTo(5);
    } else {
      outer.defaultIsolation();
      assertThat(left()).isEqualTo(4);
    }
  }

  @Test
  void rule04ADeferredLockIsJoinedAndEndsWithTheTransaction() {
    stock(5);
    Outer outer = bean(Outer.class, "defer");
    assertThat(outer.twice(false)).as("held after the method").containsExactly("stock/1");
    assertThat(left()).isEqualTo(3);
    Operators.awaitEmpty(bean(Holdfast.class, "defer"));
    assertThatThrownBy(() -> outer.twice(true)).hasMessage("rolled back");
    assertThat(left()).isEqualTo(3);
    Operators.awaitEmpty(bean(Holdfast.class, "defer"));
    assertThat(Holds.all()).isEmpty();
  }

  @Test
  void rule05ACommitUnderAKnownLossIsRolledBack() {
    stock(5);
    Stock here = bean(Stock.class, "refuse");
    assertThatThrownBy(() -> here.decrementAndLose(1)).isInstanceOf(LockLostException.class);
    assertThat(left()).isEqualTo(5);
    Outer outer = bean(Outer.class, "defer");
    assertThatThrownBy(outer::loses).isInstanceOf(LockLostException.class);
    assertThat(left()).isEqualTo(5);
    assertThat(Holds.all()).isEmpty();
  }
}
