package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.layout.WakeMessage;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.WaiterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Signals of a database file: a thread polls it while this client has waiters.
 *
 * <p>On a file of this machine a poll takes microseconds and blocks no writer.
 */
public final class FileSignals implements LockSignals {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final LocalSignals local;
  private final WaiterRegistry<Resource> waiters;
  private final SqlRunner runner;
  private final WaiterPoll poll;
  private final LongAdder losses = new LongAdder();
  private final BackgroundLoop loop;
  private volatile boolean started;

  public FileSignals(JdbcStore store, TableSql sql) {
    this.local = new LocalSignals(store.nanoTime());
    this.waiters = local.waiters();
    this.runner = new SqlRunner(store);
    this.poll = new WaiterPoll(sql);
    this.loop = new BackgroundLoop("holdfast-jdbc-watch", Thread::new, this::look, runner::close);
  }

  @Override
  public void beforeSend(Verb verb) {
    local.beforeSend(verb);
  }

  @Override
  public void beforeComplete(VerbResult answer) {
    local.beforeComplete(answer);
    if (answer.isWaiting()) {
      if (started) {
        loop.wake();
      } else {
        loop.start();
        started = true;
      }
    }
  }

  @Override
  public void roomMade(List<WakeMessage> calls) {
    local.roomMade(calls);
  }

  /** Returns after how many nanoseconds the next look is due. */
  private long look() {
    if (waiters.isEmpty()) {
      return BackgroundLoop.UNTIL_WOKEN;
    }
    try {
      runner
          .statement(connection -> poll.at(connection, waiters.keys()))
          .forEach(wake -> waiters.wake(wake.resource(), wake.places()));
      return poll.isUnsure() ? SOON_NANOS : LOOK_NANOS;
    } catch (EngineException | RuntimeException e) {
      // Waiters that are not signalled poll, and their attempts report what is wrong.
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
    loop.close();
  }
}
