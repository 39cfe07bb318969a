package io.holdfast.zookeeper.session;

import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.TicketNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Removes this engine's nodes from a caller-supplied session, which goes on.
 *
 * <p>The caller's client may live on for long after the engine was closed, and a ticket that stayed
 * would block others for as long. Starts at once; if the client is not connected, it continues on a
 * daemon thread.
 */
public final class CloseCleanup {

  private static final long POLL_NANOS = 50_000_000;

  /** In session timeouts: a session without a connection for longer is over. */
  private static final int MAX_TIMEOUTS = 2;

  private final Session session;
  private final TicketTable tickets;
  private final LongSupplier nanoTime;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();

  private CloseCleanup(Session session, TicketTable tickets, LongSupplier nanoTime) {
    this.session = session;
    this.tickets = tickets;
    this.nanoTime = nanoTime;
  }

  /** Does not block; the future completes when nothing is left, or when it gave up. */
  public static CompletableFuture<Boolean> start(
      Session session, TicketTable tickets, LongSupplier nanoTime) {
    CloseCleanup cleanup = new CloseCleanup(session, tickets, nanoTime);
    session.abandonOwnNode();
    Thread thread = new Thread(cleanup::run, "holdfast-zookeeper-close");
    thread.setDaemon(true);
    thread.start();
    return cleanup.done;
  }

  private void run() {
    long end =
        nanoTime.getAsLong()
            + MAX_TIMEOUTS * TimeUnit.MILLISECONDS.toNanos(session.timeoutMillis());
    boolean removed = false;
    while (!removed && !session.isOver() && end - nanoTime.getAsLong() > 0) {
      removed = session.isConnected() && tryRemove(end - nanoTime.getAsLong());
      if (!removed) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
    done.complete(removed);
  }

  private boolean tryRemove(long timeoutNanos) {
    try {
      Object unused = removeAll().get(timeoutNanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Removes the tickets first: other clients wait for these. */
  private CompletableFuture<?> removeAll() {
    ZooKeeperConnection connection = session.connection();
    List<CompletableFuture<?>> all = new ArrayList<>();
    // Lists behind this write show everything that was done over an earlier connection.
    session.push();
    for (TicketState state : tickets.ofSession(session)) {
      all.add(
          state.hasNode() && !state.isSettling()
              ? remove(connection, state)
              : TicketNodes.removeAllOf(connection, state.line(), state.id().encoded()));
    }
    for (TicketTable.PossibleLateJoin late : tickets.possibleLateJoins()) {
      all.add(TicketNodes.removeAllOf(connection, late.line(), late.id().encoded()));
    }
    all.add(connection.deleteIfPresent(session.ownNode()));
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  private static CompletableFuture<?> remove(ZooKeeperConnection connection, TicketState state) {
    CompletableFuture<Boolean> node = connection.deleteIfPresent(state.node());
    String weightRecord = state.weightRecord();
    return weightRecord == null
        ? node
        : CompletableFuture.allOf(node, connection.deleteIfPresent(weightRecord));
  }
}
