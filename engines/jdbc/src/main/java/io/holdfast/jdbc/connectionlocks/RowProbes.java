package io.holdfast.jdbc.connectionlocks;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Checks the connections of holds, each on a daemon thread of its own. A connection that hangs does
 * not delay the checks of others.
 */
final class RowProbes implements AutoCloseable {

  /** Less than the runtime gives a renewal: it completes before the lane is given up. */
  private static final int PATIENCES_A_LEASE = 8;

  private final RowMode mode;
  private final long patienceNanos;
  private final ExecutorService threads = Executors.newCachedThreadPool(RowProbes::thread);

  /** Probes of a client's holds. */
  RowProbes(RowMode mode, Duration lease, Duration timeout) {
    this.mode = mode;
    this.patienceNanos = Math.min(lease.toNanos() / PATIENCES_A_LEASE, timeout.toNanos() * 3 / 4);
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "holdfast-row-probe");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns how long a reply of a connection is waited for. */
  long patienceNanos() {
    return patienceNanos;
  }

  /** Keeps the hold's connection alive unless it is in use; never waits. */
  void keepAlive(RowHold hold) {
    start(
        () -> {
          try {
            hold.callIfIdle(connection -> mode.rows().probe(connection, hold));
          } catch (SQLException | RuntimeException e) {
            mode.loseIfBroken(hold);
          }
        });
  }

  /**
   * Renews all at once, and completes each. Waits for timely replies; the other renewals fail as
   * not done, because a late reply is not used.
   */
  void renew(List<Verb.Renew> verbs, List<RowHold> holds) {
    CountDownLatch answers = new CountDownLatch(verbs.size());
    for (int i = 0; i < verbs.size(); i++) {
      Verb.Renew verb = verbs.get(i);
      RowHold hold = holds.get(i);
      // While the last renewal hangs, another one would only wait for it.
      boolean started =
          hold.beginRenewal()
              && start(
                  () -> {
                    renew(verb, hold);
                    answers.countDown();
                  });
      if (!started) {
        answers.countDown();
      }
    }
    await(answers);
    verbs.forEach(
        verb ->
            verb.fail(
                new EngineException.NotDone(
                    "the connection of " + verb.ticket().resource() + " has not replied", null)));
  }

  private void await(CountDownLatch answers) {
    try {
      boolean ignored = answers.await(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew(Verb.Renew verb, RowHold hold) {
    try {
      verb.complete(renew(hold));
    } catch (EngineException e) {
      verb.fail(e);
    } catch (RuntimeException e) {
      mode.loseIfBroken(hold);
      verb.fail(new EngineException.Unknown("the driver failed: " + e, e));
    } finally {
      hold.endRenewal();
    }
  }

  /** Renews on the connection that has the row, on this thread. */
  Renewal renew(RowHold hold) throws EngineException {
    try {
      Optional<Boolean> wanted = hold.call(connection -> mode.rows().probe(connection, hold));
      return wanted.isEmpty()
          ? LockMode.unknownTicket()
          : new Renewal.Renewed(
              mode.lease, wanted.get() || mode.waiting.hasWaiters(hold.ticket().resource()));
    } catch (SQLException e) {
      if (hold.pinned().isBroken()) {
        mode.lose(hold);
        return LockMode.sessionOver();
      }
      throw mode.store.errors().failure(e);
    }
  }

  private boolean start(Runnable probe) {
    try {
      threads.execute(probe);
      return true;
    } catch (RejectedExecutionException e) {
      // Closed: nothing is held.
      return false;
    }
  }

  /** Starts no more checks; those under way end with their connections. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
