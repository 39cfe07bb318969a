package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.jdbc.Db;
import io.holdfast.rig.time.Figure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Locks that end with a transaction, rule by rule, on one database. */
interface TransactionLockRules {

  Duration WAIT = Duration.ofSeconds(20);
  int WRITERS = 4;
  int TURNS = 10;

  DataSource source();

  /** The same database, for a client. */
  String uri();

  /** Other modes in which a client could hold the name. */
  List<String> modes();

  @BeforeEach
  default void tables() throws SQLException {
    try (Connection connection = source().getConnection()) {
      TransactionLock.on(connection).createTable();
      TransactionLock.on(connection).createTable();
    }
    Db.run(source(), "DROP TABLE IF EXISTS account", "CREATE TABLE account (balance INTEGER)");
    Db.run(source(), "INSERT INTO account VALUES (0)");
  }

  /** In the isolation that the database has by itself. */
  private Connection begin() throws SQLException {
    Connection connection = source().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  default void commit_and_rollback_and_the_end_of_the_connection_release() throws Exception {
    try (Connection rival = begin()) {
      TransactionLock theirs = TransactionLock.on(rival);
      Connection mine = begin();
      for (String end : List.of("commit", "rollback", "close")) {
        TransactionLock lock = TransactionLock.on(mine);
        lock.acquire("a", WAIT);
        assertThat(theirs.tryAcquire("a")).as("before " + end).isFalse();
        assertThat(theirs.tryAcquire("b")).isTrue();
        assertThat(theirs.inNamespace("elsewhere").tryAcquire("a")).isTrue();
        switch (end) {
          case "commit" -> mine.commit();
          case "rollback" -> mine.rollback();
          default -> mine.close();
        }
        assertThat(theirs.tryAcquire("a", WAIT)).as("after " + end).isTrue();
        rival.rollback();
      }
    }
  }

  @Test
  default void a_transaction_can_take_its_lock_again_and_is_as_it_was_after_a_no()
      throws Exception {
    try (Connection mine = begin();
        Connection rival = begin()) {
      TransactionLock lock = TransactionLock.on(mine);
      lock.acquire("a", WAIT);
      assertThat(lock.tryAcquire("a")).isTrue();
      Db.run(rival, "UPDATE account SET balance = balance + 7");
      long asked = System.nanoTime();
      assertThatThrownBy(() -> TransactionLock.on(rival).acquire("a", Duration.ofMillis(300)))
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining("\"a\"")
          .hasMessageContaining("300 ms");
      Figure.since(asked, Duration.ofMillis(400), this + ": a wait of 300 ms for a transaction");
      assertThat(System.nanoTime() - asked).isGreaterThanOrEqualTo(300_000_000);
      rival.commit();
      assertThat(Db.number(source(), "SELECT balance FROM account")).isEqualTo(7);
      mine.rollback();
    }
  }

  @Test
  default void a_try_never_waits_whatever_the_isolation() throws Exception {
    for (int isolation :
        List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)) {
      try (Connection mine = begin();
          Connection rival = Db.begin(source(), isolation)) {
        TransactionLock.on(mine).acquire("a", WAIT);
        long asked = System.nanoTime();
        try {
          assertThat(TransactionLock.on(rival).tryAcquire("a")).isFalse();
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining("READ COMMITTED");
        }
        Figure.since(asked, Duration.ofMillis(500), this + ": a try at isolation " + isolation);
        mine.rollback();
        rival.rollback();
      }
    }
  }

  @Test
  default void who_waits_comes_in_after_the_commit_and_reads_what_it_wrote() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Connection mine = begin()) {
      TransactionLock.on(mine).acquire("account", WAIT);
      CountDownLatch asking = new CountDownLatch(1);
      Callable<Long> reader = () -> readLocked(asking);
      Future<Long> read = threads.submit(reader);
      assertThat(asking.await(20, TimeUnit.SECONDS)).isTrue();
      Db.run(mine, "UPDATE account SET balance = 5");
      mine.commit();
      long committed = System.nanoTime();
      assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(5);
      Figure.since(committed, Duration.ofMillis(100), this + ": commit to the next one's read");
    } finally {
      threads.shutdownNow();
    }
  }

  private Long readLocked(CountDownLatch asking) throws Exception {
    try (Connection next = begin()) {
      TransactionLock lock = TransactionLock.on(next);
      assertThat(lock.tryAcquire("account")).isFalse();
      next.rollback(); // A no may have begun a snapshot: a new try is a new transaction.
      asking.countDown();
      lock.acquire("account", WAIT);
      long balance = Db.number(next, "SELECT balance FROM account");
      next.commit();
      return balance;
    }
  }

  @Test
  default void no_update_is_lost_that_was_read_and_written_under_the_lock() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    long start = System.nanoTime();
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Callable<Integer> body = this::writes;
        all.add(threads.submit(body));
      }
      for (Future<Integer> each : all) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(TURNS);
      }
      assertThat(Db.number(source(), "SELECT balance FROM account")).isEqualTo(WRITERS * TURNS);
      Figure.print(
          "%s: %d transactions under one lock, of %d at once, in %,d ms",
          this, WRITERS * TURNS, WRITERS, (System.nanoTime() - start) / 1_000_000);
    } finally {
      threads.shutdownNow();
    }
  }

  private int writes() throws Exception {
    for (int i = 0; i < TURNS; i++) {
      try (Connection connection = begin()) {
        TransactionLock.on(connection).acquire("account", WAIT);
        long read = Db.number(connection, "SELECT balance FROM account");
        Db.run(connection, "UPDATE account SET balance = " + (read + 1));
        connection.commit();
      }
    }
    return TURNS;
  }

  @Test
  default void a_connection_in_autocommit_and_an_interrupted_thread_are_refused() throws Exception {
    try (Connection connection = source().getConnection()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> TransactionLock.on(connection).tryAcquire("a"))
          .withMessageContaining("autocommit")
          .withMessageContaining("\"a\"");
    }
    try (Connection mine = begin();
        Connection rival = begin()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> TransactionLock.on(mine).createTable())
          .withMessageContaining("autocommit");
      assertThat(TransactionLock.on(mine).tryAcquire("a")).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> TransactionLock.on(rival).acquire("a", WAIT))
          .isInstanceOf(InterruptedException.class);
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  default void holders_of_a_client_are_not_excluded_and_exclude_nobody() throws Exception {
    for (String mode : modes()) {
      try (Holdfast holdfast = Holdfast.connect(uri() + "holdfast.mode=" + mode);
          Connection mine = begin()) {
        try (Hold hold = holdfast.lock("a").acquire(WAIT)) {
          assertThat(TransactionLock.on(mine).tryAcquire("a")).as(mode).isTrue();
          hold.ensureHeld();
        }
        holdfast.lock("a").acquire(WAIT).release();
        mine.rollback();
      }
    }
  }
}
