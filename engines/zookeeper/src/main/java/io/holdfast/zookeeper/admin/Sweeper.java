package io.holdfast.zookeeper.admin;

import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.DoneMarks;
import io.holdfast.zookeeper.layout.KeptMutexes;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.NamespaceListing;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.Sessions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Removes nodes that belong to no session and are no longer needed.
 *
 * <p>These are expired marks, mutexes whose time without their client is over, operators' records
 * about tickets that are gone, and resizes of empty lines. A client that uses a name again removes
 * them anyway; this is for names that are not used again. One client of all sweeps at a time, a few
 * lines with every heartbeat.
 */
public final class Sweeper {

  private static final int LINES_PER_BEAT = 50;
  private static final byte[] NOTHING = {};

  private final Sessions sessions;
  private final Paths paths;
  private final LongSupplier nanoTime;
  private final long intervalMillis;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final Deque<String> lines = new ArrayDeque<>();
  private long checkedAt;

  /**
   * Creates a sweeper, which starts nothing by itself.
   *
   * @param intervalMillis how often the store is swept, by its own clock; also the least age of an
   *     operator's record that is removed
   */
  public Sweeper(Sessions sessions, Paths paths, LongSupplier nanoTime, long intervalMillis) {
    this.sessions = sessions;
    this.paths = paths;
    this.nanoTime = nanoTime;
    this.intervalMillis = intervalMillis;
    this.checkedAt = nanoTime.getAsLong();
  }

  /**
   * Sweeps some lines, if it is time. Called with every heartbeat, by one thread; does not block.
   */
  public void sweep() {
    Session session = sessions.peek();
    if (session == null || !busy.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?> unused =
        sweepSome(session).whenComplete((done, failure) -> busy.set(false));
  }

  private CompletableFuture<?> sweepSome(Session session) {
    if (lines.isEmpty()) {
      long now = nanoTime.getAsLong();
      if (now - checkedAt < intervalMillis * 1_000_000) {
        return CompletableFuture.completedFuture(true);
      }
      checkedAt = now;
      return collectIfDue(session);
    }
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < LINES_PER_BEAT && !lines.isEmpty(); i++) {
      all.add(sweep(session, lines.removeFirst()));
    }
    return Futures.all(all);
  }

  /**
   * Claims the sweep: the first client that writes to the sweeper's node after the interval does
   * it.
   */
  private CompletableFuture<Boolean> collectIfDue(Session session) {
    ZooKeeperConnection connection = session.connection();
    return connection
        .read(paths.sweeper())
        .thenCompose(
            node -> {
              long age = session.storeMillis() - node.stat().getMtime();
              return age < intervalMillis
                  ? CompletableFuture.completedFuture(true)
                  : connection
                      .setData(paths.sweeper(), NOTHING, node.stat().getVersion())
                      .thenCompose(written -> collect(session));
            })
        .exceptionallyCompose(
            failure ->
                StoreErrors.code(failure) == Code.NONODE
                    ? connection
                        .create(paths.sweeper(), NOTHING, CreateMode.PERSISTENT)
                        .thenCompose(created -> collect(session))
                    : CompletableFuture.completedFuture(true));
  }

  /** Collects all lines of all namespaces. */
  private CompletableFuture<Boolean> collect(Session session) {
    return session
        .connection()
        .children(paths.root())
        .thenCompose(
            namespaces -> {
              CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
              for (String namespace : namespaces) {
                if (!namespace.startsWith("~")) {
                  last = last.thenCompose(done -> collect(session, namespace));
                }
              }
              return last;
            });
  }

  private CompletableFuture<Boolean> collect(Session session, String namespace) {
    String path = paths.namespace(namespace);
    return NamespaceListing.of(session.connection(), path)
        .thenAccept(names -> names.forEach(name -> lines.add(path + "/" + name)))
        // A namespace that is too large, or gone, does not keep the others from being swept.
        .handle((done, failure) -> failure == null);
  }

  private CompletableFuture<Boolean> sweep(Session session, String line) {
    ZooKeeperConnection connection = session.connection();
    return connection
        .list(line)
        .thenCompose(
            children -> {
              LineSnapshot snapshot = LineSnapshot.of(children.names());
              long now = session.storeMillis();
              List<CompletableFuture<?>> all = new ArrayList<>();
              all.add(DoneMarks.remaining(connection, line, snapshot.marks(), now));
              all.add(KeptMutexes.remaining(connection, line, snapshot, now));
              all.add(ResizeRecords.sweep(connection, line, children));
              for (ChildName.Revoked record : snapshot.orphanedRevocations()) {
                all.add(removeIfOld(connection, line + "/" + record.name(), now));
              }
              return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
            })
        .handle((done, failure) -> failure == null);
  }

  private CompletableFuture<Boolean> removeIfOld(
      ZooKeeperConnection connection, String path, long now) {
    return connection
        .stat(path)
        .thenCompose(
            stat ->
                stat.isPresent() && now - stat.get().getCtime() > intervalMillis
                    ? connection.deleteIfPresent(path)
                    : CompletableFuture.completedFuture(false));
  }
}
