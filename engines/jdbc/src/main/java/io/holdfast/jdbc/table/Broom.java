package io.holdfast.jdbc.table;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.wire.Link;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Removes the rows of names that nobody uses any more. It walks through the table in small steps,
 * one at most after each batch of a lane; there is no thread for it and nothing for users to run.
 * Safe for several threads, of which one sweeps at a time.
 *
 * <p>A row goes when nobody is in, waits or is remembered, and when its counter is an hour behind
 * the database's clock: then the next token, which comes from the clock, is above all that the row
 * has given, even if the clock went back by less than that.
 */
public final class Broom {

  private static final int STEP = 256;
  private static final long IDLE_MICROS = TimeUnit.HOURS.toMicros(1);

  /** Longer than anybody who left in doubt is remembered. */
  private static final long GONE_MICROS = TimeUnit.DAYS.toMicros(1);

  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BUSY_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long ROUND_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Where the walk is, and when it goes on. */
  private record Walk(String namespace, String name, long next) {}

  private final LongSupplier nanoTime;
  private final String window;
  private final String lock;
  private final String deleteTickets;
  private final String deleteHead;
  private final LongAdder swept = new LongAdder();
  private Walk walk;
  private boolean sweeping;

  /** A broom for these tables. */
  public Broom(Sql sql, Dialect dialect, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    // Not at once: a program that runs for a moment has other things to do.
    this.walk = new Walk("", "", nanoTime.getAsLong() + STEP_NANOS);
    String now = dialect.nowMicros();
    String idle =
        "l.expires_us <= "
            + now
            + " and l.wanted_us <= "
            + now
            + " and l.counter < ("
            + now
            + " - "
            + IDLE_MICROS
            + ") / 64 and l.touched_us < "
            + now
            + " - "
            + IDLE_MICROS
            + " and (l.gone is null or l.touched_us < "
            + now
            + " - "
            + GONE_MICROS
            + ") and not exists (select 1 from "
            + sql.ticket()
            + " t where t.ns = l.ns and t.name = l.name and t.expires_us > "
            + now
            + ")";
    window =
        "select l.ns, l.name, case when "
            + idle
            + " then 1 else 0 end from "
            + sql.lock()
            + " l where l.ns > ? or l.ns = ? and l.name > ? order by l.ns, l.name limit "
            + STEP;
    lock =
        "select 1 from "
            + sql.lock()
            + " l where l.ns = ? and l.name = ? and "
            + idle
            + dialect.skipLocked();
    deleteTickets = "delete from " + sql.ticket() + " where ns = ? and name = ?";
    deleteHead = "delete from " + sql.lock() + " where ns = ? and name = ?";
  }

  /** How many rows it has removed. */
  public long swept() {
    return swept.sum();
  }

  /** Whether a step is due; who is told so must call {@link #sweep} or {@link #rest}. */
  public synchronized boolean isDue() {
    if (sweeping || nanoTime.getAsLong() - walk.next < 0) {
      return false;
    }
    sweeping = true;
    return true;
  }

  /** The step failed; the next comes later. */
  public synchronized void rest() {
    sweeping = false;
    walk = new Walk(walk.namespace, walk.name, nanoTime.getAsLong() + STEP_NANOS);
  }

  /** One step, within a transaction. */
  public int sweep(Link link) throws SQLException {
    Walk from = where();
    List<String[]> idle = new ArrayList<>();
    String[] last = null;
    int seen = 0;
    PreparedStatement statement = link.prepare(window);
    statement.setString(1, from.namespace);
    statement.setString(2, from.namespace);
    statement.setString(3, from.name);
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        last = new String[] {rows.getString(1), rows.getString(2)};
        seen++;
        if (rows.getInt(3) == 1) {
          idle.add(last);
        }
      }
    }
    int removed = 0;
    for (String[] key : idle) {
      removed += remove(link, key) ? 1 : 0;
    }
    swept.add(removed);
    boolean over = last == null || seen < STEP;
    long pause = over ? ROUND_NANOS : idle.size() > STEP / 2 ? BUSY_STEP_NANOS : STEP_NANOS;
    go(over || last == null ? new String[] {"", ""} : last, pause);
    return removed;
  }

  private boolean remove(Link link, String[] key) throws SQLException {
    PreparedStatement locks = link.prepare(lock);
    set(locks, key);
    try (ResultSet rows = locks.executeQuery()) {
      if (!rows.next()) {
        return false;
      }
    }
    for (String sql : List.of(deleteTickets, deleteHead)) {
      PreparedStatement delete = link.prepare(sql);
      set(delete, key);
      delete.executeUpdate();
    }
    return true;
  }

  private static void set(PreparedStatement statement, String[] key) throws SQLException {
    statement.setString(1, key[0]);
    statement.setString(2, key[1]);
  }

  private synchronized Walk where() {
    return walk;
  }

  private synchronized void go(String[] to, long pause) {
    sweeping = false;
    walk = new Walk(to[0], to[1], nanoTime.getAsLong() + pause);
  }
}
