package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Takes out of a session that goes on what is ours there: the program's own client may live on for
 * long after the engine over it was closed, and a ticket that stayed would be in the way for as
 * long. Begins at once; if the connection is away, goes on behind the back of whoever closes.
 */
final class Farewell {

  private static final long LOOK_NANOS = 50_000_000;

  /** In sessions' times: one that was away for longer than its own is over when it is back. */
  private static final int MOST = 2;

  private final Session session;
  private final Books books;
  private final LongSupplier nanoTime;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();

  private Farewell(Session session, Books books, LongSupplier nanoTime) {
    this.session = session;
    this.books = books;
    this.nanoTime = nanoTime;
  }

  /** Does not block; answered when nothing is left there, or when it was given up. */
  static CompletableFuture<Boolean> say(Session session, Books books, LongSupplier nanoTime) {
    Farewell farewell = new Farewell(session, books, nanoTime);
    session.leave();
    Thread thread = new Thread(farewell::run, "holdfast-zookeeper-close");
    thread.setDaemon(true);
    thread.start();
    return farewell.done;
  }

  private void run() {
    long patience = MOST * TimeUnit.MILLISECONDS.toNanos(session.timeoutMillis());
    long end = nanoTime.getAsLong() + patience;
    boolean gone = false;
    while (!gone && !session.isOver() && end - nanoTime.getAsLong() > 0) {
      gone = session.isConnected() && isCleared(end - nanoTime.getAsLong());
      if (!gone) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    done.complete(gone);
  }

  private boolean isCleared(long patience) {
    try {
      Object unused = clear().get(patience, TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** The tickets first: others wait for these. */
  private CompletableFuture<?> clear() {
    Wire wire = session.wire();
    List<CompletableFuture<?>> all = new ArrayList<>();
    // What is listed behind it shows whatever was done over an earlier connection.
    session.push();
    for (Spot spot : books.of(session)) {
      all.add(spot.name.isEmpty() ? search(spot.line, spot.id.encoded()) : remove(wire, spot));
    }
    for (Books.Doubt doubt : books.doubts()) {
      all.add(search(doubt.line(), doubt.id().encoded()));
    }
    all.add(wire.remove(session.own()));
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  private static CompletableFuture<?> remove(Wire wire, Spot spot) {
    CompletableFuture<Boolean> node = wire.remove(spot.node());
    return spot.shrunk == null ? node : node.thenCombine(wire.remove(spot.shrunk), (a, b) -> a);
  }

  /** A join was sent, and it is not known what came of it. */
  private CompletableFuture<?> search(String line, String ticket) {
    Wire wire = session.wire();
    return Passing.then(
        wire.children(line, null),
        children -> {
          List<CompletableFuture<?>> all = new ArrayList<>();
          for (Child.Seat seat : Roll.of(children).of(ticket)) {
            all.add(wire.remove(line + "/" + seat.name()));
          }
          return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
        },
        failure ->
            Words.code(failure) == Code.NONODE
                ? CompletableFuture.<Void>completedFuture(null)
                : CompletableFuture.failedFuture(failure));
  }
}
