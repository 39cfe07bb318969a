package io.holdfast.jdbc.table;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.jdbc.wire.Runner;
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
 * Removes the rows of names that nobody uses any more. It walks through the table in small steps,
 * one at most after each batch of a lane, and on a thread of its own while there are no batches;
 * there is nothing for users to run. Safe for several threads, of which one sweeps at a time.
 *
 * <p>A row goes when nobody is in, waits or is remembered, and when its counter is an hour behind
 * the database's clock: then the next token, which comes from the clock, is above all that the row
 * has given, even if the clock went back by less than that.
 */
public final class Broom {

  /** How many rows a step looks at. */
  private static final int LOOK = 1024;

  /** How many it locks and removes in one transaction. */
  private static final int STEP = 256;

  private static final long IDLE_MICROS = TimeUnit.HOURS.toMicros(1);

  /** Longer than anybody who left in doubt is remembered. */
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
      "select l.name from {lock} l where l.ns = ? and l.name in ({marks}) and {idle}"
          + " order by l.name";

  /*
   * What the statement that locks has seen of tickets may be older than its locks: somebody may have
   * renewed one in between. These look again, with the row of the resource locked.
   */

  private static final String DELETE_TICKETS =
      "delete from {ticket} where ns = ? and name = ? and expires_us <= {now}";

  /*
   * Key by key. With a list of keys MariaDB reads a small table from end to end, and a delete locks
   * all that it reads: two clients that sweep, or one that sweeps beside others, would wait for each
   * other without end.
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

  /** A broom for these tables. */
  public Broom(Sql sql, Dialect dialect, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    // Not at once: a program that runs for a moment has other things to do.
    this.walk = new Walk("", "", nanoTime.getAsLong() + STEP_NANOS);
    // Two questions, each of which finds its first row by the key in every database. One with an
    // "or" reads all that is before it: with a million names that was more than a second a step.
    this.rest = sql.fill(window("l.ns = ? and l.name > ? order by " + dialect.orderInNamespace()));
    this.others = sql.fill(window("l.ns > ? order by l.ns, l.name"));
    this.atOnce = Math.min(STEP, sql.namesAtOnce());
    this.lock =
        sql.fill(LOCK.replace("{idle}", IDLE).replace("{marks}", Sql.marks(atOnce)))
            + dialect.skipLocked();
    deleteTickets = sql.fill(DELETE_TICKETS);
    deleteHead = sql.fill(DELETE_HEAD);
  }

  private static String window(String where) {
    return WINDOW.replace("{idle}", IDLE).replace("{where}", where);
  }

  /** How many rows it has removed. */
  public long swept() {
    return swept.sum();
  }

  /** Whether a step is due; who is told so must call {@link #sweep}. */
  public boolean isDue() {
    return nanoTime.getAsLong() - walk.next >= 0 && sweeping.compareAndSet(false, true);
  }

  /** How long until a step is due; not positive if one is. */
  public long untilDue() {
    return walk.next - nanoTime.getAsLong();
  }

  /** Whether the walk rests, as it came to the end of the tables. */
  public boolean isResting() {
    return walk.namespace.isEmpty() && walk.name.isEmpty();
  }

  /** The step failed; the next comes later. */
  private void rest() {
    go(walk.namespace, walk.name, STEP_NANOS);
  }

  /**
   * One step; answers how many rows it removed. Looks first, and begins a transaction only if there
   * is something to remove: in a database that is a file, a process that is stopped within one
   * keeps all others out.
   *
   * @throws EngineException when it failed; the next comes later
   */
  public int sweep(Runner runner) throws EngineException {
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

  private int remove(Runner runner, Map<String, List<String>> idle) throws EngineException {
    int removed = 0;
    for (Map.Entry<String, List<String>> entry : idle.entrySet()) {
      List<String> names = entry.getValue();
      for (int from = 0; from < names.size(); from += STEP) {
        List<String> some = names.subList(from, Math.min(from + STEP, names.size()));
        int count = runner.transaction(link -> remove(link, entry.getKey(), some));
        swept.add(count);
        removed += count;
      }
    }
    return removed;
  }

  /** How many rows there were, and the last of them. */
  private record Seen(int count, String namespace, String name) {}

  /** What a step looked at: names that are idle, by namespace, and where it ended. */
  private record Window(Map<String, List<String>> idle, Seen end) {}

  private Window look(Link link) throws SQLException {
    Map<String, List<String>> idle = new TreeMap<>();
    Walk from = walk;
    PreparedStatement here = link.prepare(rest);
    here.setString(1, from.namespace);
    here.setString(2, from.name);
    Seen seen = look(here, idle);
    if (seen.count < LOOK) {
      PreparedStatement further = link.prepare(others);
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

  private int remove(Link link, String namespace, List<String> names) throws SQLException {
    List<String> locked = new ArrayList<>();
    for (int from = 0; from < names.size(); from += atOnce) {
      locked.addAll(lock(link, namespace, names, from));
    }
    if (locked.isEmpty()) {
      return 0;
    }
    int ignored = delete(link.prepare(deleteTickets), 1, namespace, locked);
    return delete(link.prepare(deleteHead), 2, namespace, locked);
  }

  /** Deletes by statements in which the key stands so many times; answers how many rows. */
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
      // A driver that does not count says so by a negative number.
      deleted += count < 0 ? 1 : count;
    }
    return deleted;
  }

  /** Looks again at some of them, now that they are locked. */
  private List<String> lock(Link link, String namespace, List<String> names, int from)
      throws SQLException {
    PreparedStatement locks = link.prepare(lock);
    locks.setString(1, namespace);
    for (int i = 0; i < atOnce; i++) {
      locks.setString(i + 2, names.get(Math.min(from + i, names.size() - 1)));
    }
    List<String> locked = new ArrayList<>();
    try (ResultSet rows = locks.executeQuery()) {
      while (rows.next()) {
        locked.add(rows.getString(1));
      }
    }
    return locked;
  }

  private void go(String namespace, String name, long pause) {
    walk = new Walk(namespace, name, nanoTime.getAsLong() + pause);
    sweeping.set(false);
  }
}
