package io.holdfast.jdbc.row;

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
 * Asks the connections of holds whether they live, each on a daemon thread of its own: one that
 * hangs keeps no other from being asked in time.
 */
final class Probes implements AutoCloseable {

  /** As the runtime gives a renewal; it is answered before the lane is given up. */
  private static final int PATIENCES_A_LEASE = 8;

  private final RowKeeper keeper;
  private final long patienceNanos;
  private final ExecutorService threads = Executors.newCachedThreadPool(Probes::thread);

  /** Probes of a client's holds. */
  Probes(RowKeeper keeper, Duration lease, Duration timeout) {
    this.keeper = keeper;
    this.patienceNanos = Math.min(lease.toNanos() / PATIENCES_A_LEASE, timeout.toNanos() * 3 / 4);
  }

  private static Thread thread(Runnable body) {
    Thread thread = new Thread(body, "holdfast-row-probe");
    thread.setDaemon(true);
    return thread;
  }

  /** How long a connection may stay silent before nobody waits for it. */
  long patienceNanos() {
    return patienceNanos;
  }

  /** Lets the server hear of the hold's connection unless somebody speaks there; never waits. */
  void keepAlive(RowHold hold) {
    start(
        () -> {
          try {
            hold.callIfIdle(link -> keeper.rows().probe(link, hold));
          } catch (SQLException | RuntimeException e) {
            keeper.loseIfBroken(hold);
          }
        });
  }

  /**
   * Renews all at once, and completes each. Waits for those that answer in time; for the others it
   * is as if nothing had been sent, as an answer that comes late is used by nobody.
   */
  void renew(List<Verb.Renew> verbs, List<RowHold> holds) {
    CountDownLatch answers = new CountDownLatch(verbs.size());
    for (int i = 0; i < verbs.size(); i++) {
      Verb.Renew verb = verbs.get(i);
      RowHold hold = holds.get(i);
      // Where the last one still hangs another would only wait for it.
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
                    "the connection of " + verb.ticket().resource() + " has not answered", null)));
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
      keeper.loseIfBroken(hold);
      verb.fail(new EngineException.Unknown("the driver failed: " + e, e));
    } finally {
      hold.endRenewal();
    }
  }

  /** Asks on the connection that has the row, on this thread. */
  Renewal renew(RowHold hold) throws EngineException {
    try {
      Optional<Boolean> wanted = hold.call(link -> keeper.rows().probe(link, hold));
      return wanted.isEmpty()
          ? new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")
          : new Renewal.Renewed(
              keeper.lease(), wanted.get() || keeper.waiting().isWanted(hold.ticket().resource()));
    } catch (SQLException e) {
      if (hold.kept().isBroken()) {
        keeper.lose(hold);
        return new Renewal.Gone(Renewal.Cause.SESSION_OVER, "");
      }
      throw keeper.store().words().failure(e);
    }
  }

  private boolean start(Runnable probe) {
    try {
      threads.execute(probe);
      return true;
    } catch (RejectedExecutionException e) {
      // Closed: nothing is held any more.
      return false;
    }
  }

  /** No probe begins after it; those under way end with their connections. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
