package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Glance;
import io.holdfast.jdbc.table.Signal;
import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Who waits is told by a thread that looks at the database every few milliseconds, while anybody of
 * this client waits. For a database that is a file of this machine: to look is a few microseconds,
 * and keeps no writer waiting.
 */
final class WatchedWaiting implements Waiting {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final LocalWaiting local;
  private final Waiters waiters;
  private final Runner runner;
  private final Glance glance;
  private final LongAdder losses = new LongAdder();
  private final AtomicBoolean started = new AtomicBoolean();
  private final Thread thread;
  private volatile boolean closed;

  WatchedWaiting(Runner.Store store, Sql sql) {
    this.local = new LocalWaiting(store.nanoTime());
    this.waiters = local.waiters();
    this.runner = new Runner(store);
    this.glance = new Glance(sql);
    this.thread = new Thread(this::run, "holdfast-jdbc-watch");
    thread.setDaemon(true);
  }

  @Override
  public void before(Verb verb) {
    local.before(verb);
  }

  @Override
  public void after(Answer answer) {
    local.after(answer);
    if (answer.isWaiting()) {
      if (started.getAndSet(true)) {
        LockSupport.unpark(thread);
      } else {
        thread.start();
      }
    }
  }

  @Override
  public void called(List<Signal> calls) {
    local.called(calls);
  }

  private void run() {
    while (!closed) {
      if (waiters.isEmpty()) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, look());
      }
    }
    runner.close();
  }

  /** Answers after how many nanoseconds the next look is due. */
  private long look() {
    try {
      runner.statement(link -> glance.at(link, waiters.resources())).forEach(waiters::hear);
      return glance.isUnsure() ? SOON_NANOS : LOOK_NANOS;
    } catch (EngineException | RuntimeException e) {
      // Waiters that are not told ask by themselves, and are told what is wrong.
      losses.increment();
      return PAUSE_NANOS;
    }
  }

  @Override
  public Map<String, Long> counters() {
    return Map.of("signals.lost", losses.sum(), "signals.waiters", (long) waiters.size());
  }

  @Override
  public void close() {
    closed = true;
    if (started.getAndSet(true)) {
      LockSupport.unpark(thread);
    }
  }
}
