package io.holdfast.zookeeper.session;

import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.signals.HeldNodeWatches;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A daemon thread that keeps the session alive with eight writes per lease.
 *
 * <p>It writes to the session's own node from the first connection to the end, because only a write
 * shows that a majority still knows the session. Between the writes it arms watches on held nodes
 * and leaves a server that does not reply; with each write it scans held locks, removes late joins
 * and sweeps.
 */
public final class Heartbeat implements AutoCloseable {

  private static final int BEATS_PER_LEASE = 8;

  /**
   * The part of a lease after which a heartbeat without a reply means that the server hangs or is
   * cut off. The client itself would take two thirds of the session timeout to notice, and the
   * session would end in the rest.
   */
  private static final int HUNG_PARTS = 16;

  private static final long MIN_HUNG_NANOS = 300_000_000;

  /** How many tickets may make their first look between two heartbeats. */
  private static final int FIRST_LOOKS = 500;

  private final Sessions sessions;
  private final TicketTable tickets;
  private final HeldLockScan heldLocks;
  private final HeldNodeWatches heldNodes;
  private final LongSupplier nanoTime;
  private final long intervalNanos;
  private final Runnable sweep;

  /** No BackgroundLoop: every grant may wake it, which must cost no lock. */
  private final Thread thread;

  /** When the session last moved to another server. */
  private long movedAt;

  private volatile boolean connected;

  /** Whether the thread is parked until the next heartbeat. */
  private volatile boolean idle;

  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param sweep called with every heartbeat; does not block
   */
  public Heartbeat(
      Sessions sessions,
      TicketTable tickets,
      HeldLockScan heldLocks,
      HeldNodeWatches heldNodes,
      LongSupplier nanoTime,
      Runnable sweep) {
    this.sessions = sessions;
    this.tickets = tickets;
    this.heldLocks = heldLocks;
    this.heldNodes = heldNodes;
    this.nanoTime = nanoTime;
    this.intervalNanos = tickets.leaseNanos() / BEATS_PER_LEASE;
    this.sweep = sweep;
    this.movedAt = nanoTime.getAsLong() - tickets.leaseNanos();
    this.thread = new Thread(this::run, "holdfast-zookeeper-beat");
    thread.setDaemon(true);
    heldNodes.onAdded(this::unparkIfIdle);
    sessions.onConnected(this::beatNow);
    thread.start();
  }

  private void unparkIfIdle() {
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  /** Sends a heartbeat at once: the store got none while the connection was down. */
  private void beatNow() {
    connected = true;
    idle = false;
    LockSupport.unpark(thread);
  }

  private void run() {
    long next = nanoTime.getAsLong() + intervalNanos;
    while (!closed) {
      long now = nanoTime.getAsLong();
      pause(Math.min(next - now, intervalNanos / 2));
      if (connected) {
        heldNodes.connected();
      }
      heldNodes.arm();
      now = nanoTime.getAsLong();
      if (next - now <= 0 || connected) {
        connected = false;
        next = now + intervalNanos;
        beat();
      } else {
        leaveHungServer(now);
      }
    }
  }

  private void pause(long untilBeat) {
    idle = true;
    // Checked after idle was set: a thread that adds a hold after this sees idle and unparks.
    boolean soon = heldNodes.hasNewHolds();
    idle = !soon;
    LockSupport.parkNanos(
        this, soon ? Math.min(untilBeat, HeldNodeWatches.AGE_NANOS / 2) : Math.max(1, untilBeat));
    idle = false;
  }

  private void beat() {
    sessions.openLate();
    Session session = sessions.peek();
    if (closed || session == null || session.isOver()) {
      return;
    }
    if (session.isConnected()) {
      CompletableFuture<Boolean> unused = session.beat();
      heldLocks.scan(session);
      tickets.allowFirstLooks(FIRST_LOOKS);
      tickets.possibleLateJoins().forEach(this::removeLateJoin);
      sweep.run();
    }
  }

  /** Removes what a join created that arrived after its ticket had left. */
  private void removeLateJoin(TicketTable.PossibleLateJoin late) {
    long askedAt = nanoTime.getAsLong();
    CompletableFuture<?> unused =
        TicketNodes.removeAllOf(late.session().connection(), late.line(), late.id().encoded())
            .thenAccept(gone -> tickets.lateJoinRemoved(late, askedAt));
  }

  /**
   * Moves at most twice per lease: if the other servers do not reply either, moving does not help.
   */
  private void leaveHungServer(long now) {
    Session session = sessions.peek();
    if (session == null || !session.isConnected() || now - movedAt < tickets.leaseNanos() / 2) {
      return;
    }
    long limit = Math.max(MIN_HUNG_NANOS, tickets.leaseNanos() / HUNG_PARTS);
    if (session.unansweredNanos(now) >= limit) {
      movedAt = now;
      session.moveToNextServer();
    }
  }

  /** No heartbeat begins after this call. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
