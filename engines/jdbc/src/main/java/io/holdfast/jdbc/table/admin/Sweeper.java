package io.holdfast.jdbc.table.admin;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.EngineException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Removes the rows of unused names, in small steps. Thread-safe; one thread sweeps at a time.
 *
 * <p>At most one step follows each batch of a lane; {@link IdleSweeper} runs steps while there are
 * no batches. Users have nothing to run.
 *
 * <p>A row is removed when it has no holder, no waiter and no remembered ticket, and when its
 * counter is an hour behind the database's clock. The next token, which then comes from the clock,
 * is above all tokens of the row, even if the clock went back by less than that.
 */
public final class Sweeper {

  /** How many rows a step looks at. */
  private static final int LOOK = 1024;

  /** How many it locks and removes in one transaction. */
  private static final int STEP = 256;

  private static final long IDLE_MICROS = TimeUnit.HOURS.toMicros(1);

  /** Longer than a ticket that left in doubt is remembered. */
  private static final long GONE_MICROS = TimeUnit.DAYS.toMicros(1);

  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BUSY_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long ROUND_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final String IDLE =
      """
      l.expires_us <= {now} and l.wanted_us <= {now} and l.counter < ({now} - {hour}) / 64
        and l.touched_us < {now} - {hour} and (l.gone is null or l.touched_us < {now} - {day})
        and not exists (select 1 from {ticket} t
          where t.ns = l.ns and t.name = l.name and t.expires_us > {now})"""
          .replace("{hour}", Long.toString(IDLE_MICROS))
          .replace("{day}", Long.toString(GONE_MICROS));

  private static final String WINDOW =
      "select l.ns, l.name, case when {idle} then 1 else 0 end from {lock} l where {where}"
          + " limit "
          + LOOK;

  private static final String LOCK =
      "select l.name, case when exists (select 1 from {ticket} t where t.ns = l.ns"
          + " and t.name = l.name) then 1 else 0 end"
          + " from {lock} l where l.ns = ? and l.name in ({marks}) and {idle} order by l.name";

  /*
   * The tickets that the locking statement saw may be older than its locks: a ticket may have been
   * renewed in between, or joined. These statements look again, with the row of the resource
   * locked. Most rows have no tickets, so the first statement runs only for names that were seen
   * with some.
   */

  private static final String DELETE_TICKETS =
      "delete from {ticket} where ns = ? and name = ? and expires_us <= {now}";

  /*
   * Key by key. With a list of keys MariaDB reads a small table from end to end, and a delete locks
   * all that it reads: a client that sweeps and another one would wait for each other without end.
   */

  private static final String DELETE_HEAD =
      "delete from {lock} where ns = ? and name = ? and not exists (select 1 from {ticket} t"
          + " where t.ns = ? and t.name = ?)";

  /** Where the walk is, and when it goes on. */
  private record Walk(String namespace, String name, long next) {}

  private final LongSupplier nanoTime;
  private final String rest;
  private final String others;
  private final int atOnce;
  private final String lock;
  private final String deleteTickets;
  private final String deleteHead;
  private final LongAdder swept = new LongAdder();
  private final AtomicBoolean sweeping = new AtomicBoolean();
  private volatile Walk walk;

  /** Creates a sweeper of these tables. */
  public Sweeper(TableSql sql, Dialect dialect, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    // Not at once: a short-lived program should not sweep.
    this.walk = new Walk("", "", nanoTime.getAsLong() + STEP_NANOS);
    // Two queries, each of which finds its first row by the key in every database. A query with
    // "or" reads all rows before that: with a million names a step took more than a second.
    this.rest = sql.fill(window("l.ns = ? and l.name > ? order by " + dialect.orderInNamespace()));
    this.others = sql.fill(window("l.ns > ? order by l.ns, l.name"));
    this.atOnce = Math.min(STEP, sql.namesAtOnce());
    this.lock =
        sql.fill(LOCK.replace("{idle}", IDLE).replace("{marks}", TableSql.marks(atOnce)))
            + dialect.skipLocked();
    deleteTickets = sql.fill(DELETE_TICKETS);
    deleteHead = sql.fill(DELETE_HEAD);
  }

  private static String window(String where) {
    return WINDOW.replace("{idle}", IDLE).replace("{where}", where);
  }

  /** Returns how many rows were removed so far. */
  public long removed() {
    return swept.sum();
  }

  /**
   * Removes unused rows if a step is due; never fails. Called after the verbs of a batch are
   * complete, so that no caller waits for it.
   */
  public void sweepIfDue(SqlRunner runner) {
    if (claimStep()) {
      try {
        int ignored = sweep(runner);
      } catch (EngineException | RuntimeException e) {
        // The next verbs report what is wrong.
        return;
      }
    }
  }

  /** Claims the step that is due, if there is one; the caller must then call {@link #sweep}. */
  public boolean claimStep() {
    return nanoTime.getAsLong() - walk.next >= 0 && sweeping.compareAndSet(false, true);
  }

  /** Returns how long until a step is due; not positive if one is. */
  public long untilDue() {
    return walk.next - nanoTime.getAsLong();
  }

  /** Returns whether the walk rests after it reached the end of the tables. */
  public boolean isResting() {
    return walk.namespace.isEmpty() && walk.name.isEmpty();
  }

  /** A step failed; the next one comes later. */
  private void rest() {
    go(walk.namespace, walk.name, STEP_NANOS);
  }

  /**
   * Runs one step and returns how many rows it removed. Looks first, and begins a transaction only
   * if there is something to remove: in a database file, a process that is stopped within a
   * transaction blocks all others.
   *
   * @throws EngineException when it failed; the next step comes later
   */
  public int sweep(SqlRunner runner) throws EngineException {
    try {
      Window window = runner.statement(this::look);
      int removed = remove(runner, window.idle);
      boolean over = window.end.count < LOOK;
      long pause = removed > STEP / 2 ? BUSY_STEP_NANOS : STEP_NANOS;
      go(over ? "" : window.end.namespace, over ? "" : window.end.name, over ? ROUND_NANOS : pause);
      return removed;
    } catch (EngineException | RuntimeException e) {
      rest();
      throw e;
    }
  }

  private int remove(SqlRunner runner, Map<String, List<String>> idle) throws EngineException {
    int removed = 0;
    for (Map.Entry<String, List<String>> entry : idle.entrySet()) {
      List<String> names = entry.getValue();
      for (int from = 0; from < names.size(); from += STEP) {
        List<String> some = names.subList(from, Math.min(from + STEP, names.size()));
        int count = runner.transaction(connection -> remove(connection, entry.getKey(), some));
        swept.add(count);
        removed += count;
      }
    }
    return removed;
  }

  /** How many rows there were, and the last of them. */
  private record Seen(int count, String namespace, String name) {}

  /** The result of a look: unused names, by namespace, and where the look ended. */
  private record Window(Map<String, List<String>> idle, Seen end) {}

  private Window look(JdbcConnection connection) throws SQLException {
    Map<String, List<String>> idle = new TreeMap<>();
    Walk from = walk;
    PreparedStatement here = connection.prepare(rest);
    here.setString(1, from.namespace);
    here.setString(2, from.name);
    Seen seen = look(here, idle);
    if (seen.count < LOOK) {
      PreparedStatement further = connection.prepare(others);
      further.setString(1, from.namespace);
      seen = look(further, idle);
    }
    return new Window(idle, seen);
  }

  private static Seen look(PreparedStatement statement, Map<String, List<String>> idle)
      throws SQLException {
    int count = 0;
    String namespace = "";
    String name = "";
    try (ResultSet rows = statement.executeQuery()) {
      for (; rows.next(); count++) {
        namespace = rows.getString(1);
        name = rows.getString(2);
        if (rows.getInt(3) == 1) {
          idle.computeIfAbsent(namespace, ns -> new ArrayList<>()).add(name);
        }
      }
    }
    return new Seen(count, namespace, name);
  }

  private int remove(JdbcConnection connection, String namespace, List<String> names)
      throws SQLException {
    Locked locked = new Locked(new ArrayList<>(), new ArrayList<>());
    for (int from = 0; from < names.size(); from += atOnce) {
      lock(connection, namespace, names, from, locked);
    }
    if (locked.names.isEmpty()) {
      return 0;
    }
    if (!locked.withTickets.isEmpty()) {
      int ignored = delete(connection.prepare(deleteTickets), 1, namespace, locked.withTickets);
    }
    return delete(connection.prepare(deleteHead), 2, namespace, locked.names);
  }

  /** Names whose rows are locked, and those of them that have tickets. */
  private record Locked(List<String> names, List<String> withTickets) {}

  /** Deletes by statements in which the key stands so many times; returns how many rows. */
  private static int delete(
      PreparedStatement delete, int times, String namespace, List<String> names)
      throws SQLException {
    delete.clearBatch();
    for (String name : names) {
      for (int i = 0; i < times; i++) {
        delete.setString(2 * i + 1, namespace);
        delete.setString(2 * i + 2, name);
      }
      delete.addBatch();
    }
    int deleted = 0;
    for (int count : delete.executeBatch()) {
      // A driver that does not count returns a negative number.
      deleted += count < 0 ? 1 : count;
    }
    return deleted;
  }

  /** Looks again at some of them, now that they are locked. */
  private void lock(
      JdbcConnection connection, String namespace, List<String> names, int from, Locked locked)
      throws SQLException {
    PreparedStatement locks = connection.prepare(lock);
    locks.setString(1, namespace);
    for (int i = 0; i < atOnce; i++) {
      locks.setString(i + 2, names.get(Math.min(from + i, names.size() - 1)));
    }
    try (ResultSet rows = locks.executeQuery()) {
      while (rows.next()) {
        locked.names.add(rows.getString(1));
        if (rows.getInt(2) == 1) {
          locked.withTickets.add(rows.getString(1));
        }
      }
    }
  }

  private void go(String namespace, String name, long pause) {
    walk = new Walk(namespace, name, nanoTime.getAsLong() + pause);
    sweeping.set(false);
  }
}
