package io.holdfast.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A daemon thread that writes to the session's own node eight times in the session's time, from the
 * first connection to the end: only a write shows that a majority still knows the session.
 */
final class Beat implements AutoCloseable {

  private static final int BEATS = 8;

  /** So many may look for the first time since they are in, until the next beat. */
  private static final int LOOKS = 500;

  private final Sessions sessions;
  private final Books books;
  private final Patrol patrol;
  private final LongSupplier nanoTime;
  private final long everyNanos;
  private final Runnable also;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts.
   *
   * @param also what else is to be done with every beat; does not block
   */
  Beat(Sessions sessions, Books books, Patrol patrol, LongSupplier nanoTime, Runnable also) {
    this.sessions = sessions;
    this.books = books;
    this.patrol = patrol;
    this.nanoTime = nanoTime;
    this.everyNanos = books.leaseNanos() / BEATS;
    this.also = also;
    this.thread = new Thread(this::run, "holdfast-zookeeper-beat");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(everyNanos);
      sessions.tend();
      Session session = sessions.peek();
      if (closed || session == null || session.isOver()) {
        continue;
      }
      if (session.isConnected()) {
        CompletableFuture<Boolean> unused = session.beat(nanoTime);
        patrol.walk(session);
        books.allowLooks(LOOKS);
        books.doubts().forEach(Beat::sweep);
        also.run();
      }
    }
  }

  /** Takes out what a request brought that arrived after its ticket had left. */
  private static void sweep(Books.Doubt doubt) {
    Wire wire = doubt.session().wire();
    CompletableFuture<Boolean> unused =
        wire.children(doubt.line(), null)
            .thenCompose(
                children -> {
                  CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
                  for (Child.Seat late : Roll.of(children).of(doubt.id().encoded())) {
                    last = wire.remove(doubt.line() + "/" + late.name());
                  }
                  return last;
                });
  }

  /** No beat begins after it. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
