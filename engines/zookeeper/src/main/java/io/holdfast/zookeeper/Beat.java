package io.holdfast.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * A daemon thread that writes to the session's own node eight times in the session's time, from the
 * first connection to the end: only a write shows that a majority still knows the session.
 */
final class Beat implements AutoCloseable {

  private static final int BEATS = 8;

  /**
   * A beat that was not answered for this part of a session's time: the server hangs, or is cut off
   * from the others. By itself the client would take two thirds of the time to find out, and the
   * session would end in the rest.
   */
  private static final int HUNG_PARTS = 16;

  private static final long HUNG_NANOS = 300_000_000;

  /** So many may look for the first time since they are in, until the next beat. */
  private static final int LOOKS = 500;

  private final Sessions sessions;
  private final Books books;
  private final Patrol patrol;
  private final HeldNodes heldNodes;
  private final LongSupplier nanoTime;
  private final long everyNanos;
  private final Runnable also;
  private final Thread thread;

  /** When it left a server last. */
  private long movedAt;

  private volatile boolean connected;

  /** Whether it is parked until the next beat, and nothing is to be done before. */
  private volatile boolean idle;

  private volatile boolean closed;

  /**
   * Starts.
   *
   * @param also what else is to be done with every beat; does not block
   */
  Beat(
      Sessions sessions,
      Books books,
      Patrol patrol,
      HeldNodes heldNodes,
      LongSupplier nanoTime,
      Runnable also) {
    this.sessions = sessions;
    this.books = books;
    this.patrol = patrol;
    this.heldNodes = heldNodes;
    this.nanoTime = nanoTime;
    this.everyNanos = books.leaseNanos() / BEATS;
    this.also = also;
    this.movedAt = nanoTime.getAsLong() - books.leaseNanos();
    this.thread = new Thread(this::run, "holdfast-zookeeper-beat");
    thread.setDaemon(true);
    heldNodes.onAdded(this::rouse);
    sessions.onConnected(this::connected);
    thread.start();
  }

  /** There is something to do before the next beat. */
  private void rouse() {
    if (idle) {
      idle = false;
      LockSupport.unpark(thread);
    }
  }

  /** A connection is up: the session was not heard of while it was not. */
  private void connected() {
    connected = true;
    idle = false;
    LockSupport.unpark(thread);
  }

  private void run() {
    long next = nanoTime.getAsLong() + everyNanos;
    while (!closed) {
      long now = nanoTime.getAsLong();
      pause(Math.min(next - now, everyNanos / 2));
      heldNodes.arm(books);
      now = nanoTime.getAsLong();
      if (next - now <= 0 || connected) {
        connected = false;
        next = now + everyNanos;
        beat();
      } else {
        leaveHungServer(now);
      }
    }
  }

  /** Once in half a lease: if the others do not answer either, it is not this server. */
  private void leaveHungServer(long now) {
    Session session = sessions.peek();
    if (session == null || !session.isConnected() || now - movedAt < books.leaseNanos() / 2) {
      return;
    }
    long most = Math.max(HUNG_NANOS, books.leaseNanos() / HUNG_PARTS);
    if (session.unansweredNanos(now) >= most) {
      movedAt = now;
      session.moveOn();
    }
  }

  private void pause(long untilBeat) {
    idle = true;
    // Looked at after idle was set: who adds one after this look sees idle, and wakes the thread.
    boolean soon = heldNodes.hasYoung();
    idle = !soon;
    LockSupport.parkNanos(
        this, soon ? Math.min(untilBeat, HeldNodes.AGE_NANOS / 2) : Math.max(1, untilBeat));
    idle = false;
  }

  private void beat() {
    sessions.tend();
    Session session = sessions.peek();
    if (closed || session == null || session.isOver()) {
      return;
    }
    if (session.isConnected()) {
      CompletableFuture<Boolean> unused = session.beat(nanoTime);
      patrol.walk(session);
      books.allowLooks(LOOKS);
      books.doubts().forEach(this::sweep);
      also.run();
    }
  }

  /** Takes out what a request brought that arrived after its ticket had left. */
  private void sweep(Books.Doubt doubt) {
    Wire wire = doubt.session().wire();
    long asked = nanoTime.getAsLong();
    CompletableFuture<?> unused =
        wire.children(doubt.line(), null)
            .exceptionallyCompose(
                failure ->
                    Words.code(failure) == Code.NONODE
                        ? CompletableFuture.completedFuture(List.of())
                        : CompletableFuture.failedFuture(failure))
            .thenCompose(
                children -> {
                  CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
                  for (Child.Seat late : Roll.of(children).of(doubt.id().encoded())) {
                    CompletableFuture<Boolean> one = wire.remove(doubt.line() + "/" + late.name());
                    all = all.thenCombine(one, (before, gone) -> true);
                  }
                  return all;
                })
            .thenAccept(gone -> books.swept(doubt, asked));
  }

  /** No beat begins after it. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
