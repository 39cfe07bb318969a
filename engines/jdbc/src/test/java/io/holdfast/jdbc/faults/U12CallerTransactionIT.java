package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.StoreUnavailableException;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.time.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Locks taken and released in the middle of a caller's transaction, over the same data source: they
 * are as if it were not there, and it is as if they were not there.
 */
@Timeout(120)
class U12CallerTransactionIT {

  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final String COUNT = "select count(*) from work";
  private static final String EXPIRES = "select expires_us from holdfast_lock where name = 'known'";
  private static final List<Integer> LEVELS =
      List.of(
          Connection.TRANSACTION_READ_UNCOMMITTED,
          Connection.TRANSACTION_READ_COMMITTED,
          Connection.TRANSACTION_REPEATABLE_READ,
          Connection.TRANSACTION_SERIALIZABLE);

  @ParameterizedTest
  @EnumSource
  @DisplayName("locks and the caller's transaction leave each other alone, at every isolation")
  void apart(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      apart(server.url());
    }
  }

  @Test
  @DisplayName("the same on H2")
  void apartOnH2() throws Exception {
    apart("jdbc:h2:mem:apart;DB_CLOSE_DELAY=-1");
  }

  @Test
  @DisplayName("the same on SQLite, where the locks have a file of their own")
  void apartOnSqlite(@TempDir Path folder) throws Exception {
    String locks = "jdbc:sqlite:" + folder.resolve("locks.db");
    try (Holdfast mine = Holdfast.connect(locks + "?holdfast.lease=2s");
        Holdfast theirs = Holdfast.connect(locks)) {
      apart(
          new Plain("jdbc:sqlite:" + folder.resolve("work.db")),
          new Plain(locks),
          mine,
          theirs,
          List.of(Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_SERIALIZABLE));
    }
  }

  @Test
  @DisplayName("on SQLite a lock in the file that the caller writes to is refused, and it says why")
  void oneFile(@TempDir Path folder) throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("all.db");
    try (Holdfast holdfast = Holdfast.connect(url);
        Connection caller = DriverManager.getConnection(url)) {
      holdfast.lock("x").acquire(WAIT).close();
      run(caller, "create table work (n int)");
      caller.setAutoCommit(false);
      run(caller, "insert into work values (1)");
      assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ofSeconds(4)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasStackTraceContaining("a file of their own");
      caller.commit();
      holdfast.lock("x").acquire(WAIT).close();
    }
  }

  private static void apart(String url) throws Exception {
    DataSource source = new Plain(url);
    try (Holdfast mine = over(source, url);
        Holdfast theirs = over(source, url)) {
      apart(source, source, mine, theirs, LEVELS);
    }
  }

  private static void apart(
      DataSource source, DataSource locks, Holdfast mine, Holdfast theirs, List<Integer> levels)
      throws Exception {
    try (Connection watching = source.getConnection();
        Connection expiry = locks.getConnection();
        Connection caller = source.getConnection()) {
      run(watching, "create table work (n int)");
      mine.lock("known").acquire(WAIT).close();
      for (int level : levels) {
        caller.setTransactionIsolation(level);
        caller.setAutoCommit(false);
        rolledBack(caller, watching, mine, theirs);
        committed(caller, watching, mine, theirs);
        renewed(caller, watching, expiry, mine);
        assertThat(caller.getTransactionIsolation()).isEqualTo(level);
        assertThat(caller.getAutoCommit()).isFalse();
        caller.setAutoCommit(true);
      }
    }
  }

  private static Holdfast over(DataSource source, String url) {
    return Holdfast.open(
        JdbcEngine.over(source, JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(2))),
        HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(2)));
  }

  /** What is rolled back takes no lock with it, and brings none back. */
  private static void rolledBack(
      Connection caller, Connection watching, Holdfast mine, Holdfast theirs) throws Exception {
    run(watching, "delete from work");
    run(caller, "insert into work values (1)");
    // The snapshot of the transaction, where it has one, is older than everything below.
    assertThat(number(caller, COUNT)).isEqualTo(1);
    Hold before = mine.lock("known").acquire(WAIT);
    before.close();
    Hold held = mine.lock("known").acquire(WAIT);
    assertThat(held.token()).isGreaterThan(before.token());
    assertThat(theirs.lock("known").tryAcquire()).isEmpty();
    assertThat(number(watching, COUNT)).as("not committed by a lock").isZero();

    caller.rollback();
    held.ensureHeld();
    assertThat(theirs.lock("known").tryAcquire()).as("the lock stays").isEmpty();
    run(caller, "insert into work values (2)");
    held.close();
    caller.rollback();
    try (Hold next = theirs.lock("known").acquire(WAIT)) {
      assertThat(next.token()).as("the release stays").isGreaterThan(held.token());
    }
    assertThat(number(watching, COUNT)).isZero();
  }

  /** What is written around a lock is committed by the caller, and by nobody else. */
  private static void committed(
      Connection caller, Connection watching, Holdfast mine, Holdfast theirs) throws Exception {
    run(caller, "insert into work values (3)");
    try (Hold hold = mine.lock("new/" + caller.getTransactionIsolation()).acquire(WAIT)) {
      run(caller, "insert into work values (4)");
      assertThat(theirs.lock(hold.name()).tryAcquire()).isEmpty();
    }
    assertThat(number(watching, COUNT)).isZero();
    caller.commit();
    assertThat(number(watching, COUNT)).isEqualTo(2);
  }

  /**
   * When it ends now; a hold whose renewal came too late on a busy machine says that it is lost.
   */
  private static long nextRenewal(Connection expiry, Hold hold, long before) throws Exception {
    Await.until("a renewal", WAIT, () -> !hold.isHeld() || number(expiry, EXPIRES) > before);
    hold.ensureHeld();
    return number(expiry, EXPIRES);
  }

  /** Renewals go by the time and not by the transaction, and its end undoes none of them. */
  private static void renewed(
      Connection caller, Connection watching, Connection expiry, Holdfast mine) throws Exception {
    run(watching, "delete from work");
    run(caller, "insert into work values (5)");
    assertThat(number(caller, COUNT)).isEqualTo(1);
    try (Hold hold = mine.lock("known").acquire(WAIT)) {
      long granted = number(expiry, EXPIRES);
      long renewed = nextRenewal(expiry, hold, granted);
      long again = nextRenewal(expiry, hold, renewed);
      assertThat(number(caller, COUNT)).as("the transaction is still open").isEqualTo(1);
      assertThat(number(watching, COUNT)).as("not committed by a renewal").isZero();

      caller.rollback();
      assertThat(number(expiry, EXPIRES)).as("the renewal stays").isGreaterThanOrEqualTo(again);
      hold.ensureHeld();
    }
    assertThat(number(expiry, EXPIRES)).as("the release is seen").isZero();
    assertThat(number(watching, COUNT)).isZero();
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
