package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Crew;
import io.holdfast.jdbc.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Stories of holders that come too late, told to a guard that may be a broken one: they fail with
 * an {@link AssertionError} if it lets them in.
 */
final class LateHolders {

  /** How a guard is asked, in the transaction of a connection. */
  @FunctionalInterface
  interface Guarding {
    void claim(Connection connection, long token, String holdId) throws SQLException;
  }

  /** How an attempt to write ended. */
  enum End {
    COMMITTED,
    STALE,
    CONFLICT
  }

  private static final long BOUND_SECONDS = 30;
  private static final long A_WHILE_MILLIS = 150;

  private final DataSource source;
  private final int isolation;
  private final Guarding guard;

  LateHolders(DataSource source, int isolation, Guarding guard) {
    this.source = source;
    this.isolation = isolation;
    this.guard = guard;
  }

  static void createTables(DataSource source) throws SQLException {
    Db.run(
        source,
        "DROP TABLE IF EXISTS holdfast_fence",
        "DROP TABLE IF EXISTS account",
        "DROP TABLE IF EXISTS journal",
        "CREATE TABLE account (id INT PRIMARY KEY, amount INT NOT NULL)",
        "CREATE TABLE journal (holder VARCHAR(40) NOT NULL, step INT NOT NULL)",
        "INSERT INTO account (id, amount) VALUES (1, 0)");
    SqlFenceGuard.over(source).createTable();
  }

  long amount() throws SQLException {
    return Db.number(source, "SELECT amount FROM account WHERE id = 1");
  }

  private Connection begin() throws SQLException {
    return Db.begin(source, isolation);
  }

  /** One guarded transaction; errors other than those of a conflict are thrown. */
  End write(long token, String holdId, int amount) throws SQLException {
    try (Connection connection = begin()) {
      try {
        guard.claim(connection, token, holdId);
        note(connection, holdId);
        Db.run(connection, "UPDATE account SET amount = " + amount + " WHERE id = 1");
        connection.commit();
        return End.COMMITTED;
      } catch (SQLException | StaleTokenException e) {
        connection.rollback();
        return end(e);
      }
    }
  }

  private static End end(Exception e) throws SQLException {
    if (e instanceof SQLException sql) {
      if (!SqlErrors.isConflict(sql)) {
        throw sql;
      }
      return End.CONFLICT;
    }
    return End.STALE;
  }

  private static void note(Connection connection, String holdId) throws SQLException {
    Db.run(connection, "INSERT INTO journal (holder, step) VALUES ('" + holdId + "', 1)");
  }

  /** An older token writes after a newer claim, its transaction began after that. */
  void pausedHolder() throws SQLException {
    assertThat(write(1024, "a", 1)).isEqualTo(End.COMMITTED);
    assertThat(write(2048, "b", 2)).isEqualTo(End.COMMITTED);
    assertThat(write(1024, "a", 3)).isEqualTo(End.STALE);
    assertThat(amount()).isEqualTo(2);
    assertThat(Db.number(source, "SELECT COUNT(*) FROM journal WHERE holder = 'a'")).isEqualTo(1);
  }

  /** The paused holder has read, and even written, before the newer claim; then it goes on. */
  void pausedInItsTransaction(boolean hasWritten) throws SQLException {
    try (Connection late = begin()) {
      Db.number(late, "SELECT amount FROM account WHERE id = 1");
      if (hasWritten) {
        note(late, "late");
      }
      assertThat(write(4096, "c", 4)).isEqualTo(End.COMMITTED);
      End end;
      try {
        guard.claim(late, 1024, "a");
        Db.run(late, "UPDATE account SET amount = 5 WHERE id = 1");
        late.commit();
        end = End.COMMITTED;
      } catch (SQLException | StaleTokenException e) {
        late.rollback();
        end = end(e);
      }
      assertThat(end).isNotEqualTo(End.COMMITTED);
    }
    assertThat(amount()).isEqualTo(4);
    assertThat(Db.number(source, "SELECT COUNT(*) FROM journal WHERE holder = 'late'")).isZero();
  }

  /**
   * Someone claims while the transaction of another is open, and goes on when that is committed.
   *
   * @return how the one that waited ended
   */
  End waitsBehind(long first, long second) throws Exception {
    try (Crew crew = new Crew();
        Connection open = begin()) {
      guard.claim(open, first, "first");
      Db.run(open, "UPDATE account SET amount = 6 WHERE id = 1");
      Future<End> waiting = crew.one(i -> write(second, "second", 7));
      assertThat(isOver(waiting)).as("ended before the first one").isFalse();
      open.commit();
      End end = waiting.get(BOUND_SECONDS, TimeUnit.SECONDS);
      assertThat(amount()).isEqualTo(end == End.COMMITTED ? 7 : 6);
      return end;
    }
  }

  /**
   * A sharer is admitted where nobody has claimed, somebody claims, then the sharer writes. It may
   * commit before that claim, never after it.
   */
  End sharerIsOvertaken(SqlFenceGuard shared) throws Exception {
    try (Crew crew = new Crew();
        Connection sharer = begin()) {
      shared.admit(sharer, "account/1", 501, "sharer");
      Future<End> writer = crew.one(i -> write(900, "writer", 2));
      boolean overtaken = isOver(writer);
      End end;
      try {
        Db.run(sharer, "UPDATE account SET amount = 1 WHERE id = 1");
        sharer.commit();
        end = End.COMMITTED;
      } catch (SQLException e) {
        sharer.rollback();
        end = end(e);
      }
      assertThat(overtaken && end == End.COMMITTED).as("committed after the claim").isFalse();
      if (writer.get(BOUND_SECONDS, TimeUnit.SECONDS) == End.CONFLICT) {
        assertThat(write(900, "writer", 2)).isEqualTo(End.COMMITTED);
      }
      assertThat(amount()).isEqualTo(2);
      return end;
    }
  }

  /**
   * Three meet at a fence that has seen nobody; the one that was first gives up.
   *
   * @return how the others ended, with tokens 2048 and 3072
   */
  List<End> firstIsRolledBack() throws Exception {
    try (Crew crew = new Crew();
        Connection open = begin()) {
      guard.claim(open, 1024, "first");
      Future<End> one = crew.one(i -> write(2048, "waiter-1", 1));
      Future<End> other = crew.one(i -> write(3072, "waiter-2", 2));
      assertThat(isOver(one) || isOver(other)).as("ended before the first one").isFalse();
      open.rollback();
      return List.of(
          one.get(BOUND_SECONDS, TimeUnit.SECONDS), other.get(BOUND_SECONDS, TimeUnit.SECONDS));
    }
  }

  private static boolean isOver(Future<?> call) throws InterruptedException, ExecutionException {
    try {
      call.get(A_WHILE_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /**
   * Many write their tokens, and each comes back with its former one now and then.
   *
   * @return how often each end was met
   */
  Map<End, Integer> tokensNeverGoBack() throws Exception {
    AtomicLong tokens = new AtomicLong(1 << 10);
    Map<End, Integer> ends = new ConcurrentHashMap<>();
    try (Crew crew = new Crew()) {
      crew.all(
          6,
          i -> {
            long former = tokens.incrementAndGet();
            for (int step = 0; step < 20; step++) {
              long next = tokens.incrementAndGet();
              ends.merge(raise(next, "holder-" + i), 1, Integer::sum);
              ends.merge(raise(former, "holder-" + i), 1, Integer::sum);
              former = next;
            }
            return i;
          });
    }
    assertThat(Db.number(source, "SELECT COUNT(*) FROM journal")).as("tokens gone back").isZero();
    return new TreeMap<>(ends);
  }

  private End raise(long token, String holdId) throws SQLException {
    try (Connection connection = begin()) {
      try {
        guard.claim(connection, token, holdId);
        if (Db.number(connection, "SELECT amount FROM account WHERE id = 1") > token) {
          note(connection, holdId);
        }
        Db.run(connection, "UPDATE account SET amount = " + token + " WHERE id = 1");
        connection.commit();
        return End.COMMITTED;
      } catch (SQLException | StaleTokenException e) {
        connection.rollback();
        return end(e);
      }
    }
  }

  /** Many show the same token at once, at a fence that has seen nobody. */
  void oneTokenManyHolders(int round) throws Exception {
    long token = 10_000L + round;
    try (Crew crew = new Crew()) {
      List<End> ends = crew.all(6, i -> writeUntilDecided(token, "r" + round + "-" + i));
      assertThat(ends.stream().filter(Predicate.isEqual(End.COMMITTED)).count()).isEqualTo(1);
    }
  }

  private End writeUntilDecided(long token, String holdId) throws SQLException {
    for (int i = 0; i < 50; i++) {
      End end = write(token, holdId, 8);
      if (end != End.CONFLICT) {
        return end;
      }
    }
    throw new AssertionError("50 conflicts in a row");
  }

  /**
   * The new holder reads, a late write of the old one arrives, the new one writes what it computed.
   *
   * @return what is there if nothing was lost, else what is there without the old one's write
   */
  long readThenWrite(boolean claimsFirst) throws SQLException {
    assertThat(write(1 << 20, "old", 100)).isEqualTo(End.COMMITTED);
    if (claimsFirst) {
      try (Connection connection = begin()) {
        guard.claim(connection, 1 << 21, "new");
        connection.commit();
      }
    }
    long read = amount();
    End late = write(1 << 20, "old", 100 + 10);
    assertThat(write(1 << 21, "new", (int) read + 1)).isEqualTo(End.COMMITTED);
    long told = late == End.COMMITTED ? 111 : 101;
    return told - amount();
  }
}
