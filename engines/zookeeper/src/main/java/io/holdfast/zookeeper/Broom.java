package io.holdfast.zookeeper;

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
 * Removes what belongs to no session and is needed no more: marks that are over, words of operators
 * to tickets that are gone, sizes of lines that are empty. Whoever uses a name again removes it
 * anyway; this is for names that nobody uses again. One client of all sweeps at a time, a few lines
 * with every beat.
 */
final class Broom {

  private static final int LINES_A_BEAT = 50;
  private static final byte[] NOTHING = {};

  private final Sessions sessions;
  private final Layout layout;
  private final Marks marks;
  private final LongSupplier nanoTime;
  private final long everyMillis;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final Deque<String> lines = new ArrayDeque<>();
  private long lookedAt;

  /**
   * A broom.
   *
   * @param everyMillis how often all is swept, by the store's time; also how old a word of an
   *     operator must be
   */
  Broom(Sessions sessions, Layout layout, Marks marks, LongSupplier nanoTime, long everyMillis) {
    this.sessions = sessions;
    this.layout = layout;
    this.marks = marks;
    this.nanoTime = nanoTime;
    this.everyMillis = everyMillis;
    this.lookedAt = nanoTime.getAsLong();
  }

  /** Called with every beat, by one thread; does not block. */
  void sweep() {
    Session session = sessions.peek();
    if (session == null || !busy.compareAndSet(false, true)) {
      return;
    }
    CompletableFuture<?> unused = step(session).whenComplete((done, failure) -> busy.set(false));
  }

  private CompletableFuture<?> step(Session session) {
    if (lines.isEmpty()) {
      long now = nanoTime.getAsLong();
      if (now - lookedAt < everyMillis * 1_000_000) {
        return CompletableFuture.completedFuture(true);
      }
      lookedAt = now;
      return begin(session);
    }
    CompletableFuture<?> last = CompletableFuture.completedFuture(true);
    for (int i = 0; i < LINES_A_BEAT && !lines.isEmpty(); i++) {
      String line = lines.removeFirst();
      last = last.thenCombine(sweep(session, line), (one, other) -> true);
    }
    return last;
  }

  /** Whoever writes to the broom's node first since the last time was long ago has it now. */
  private CompletableFuture<?> begin(Session session) {
    Wire wire = session.wire();
    return wire.data(layout.broom(), null)
        .thenCompose(
            node -> {
              long age = session.storeMillis(nanoTime.getAsLong()) - node.stat().getMtime();
              return age < everyMillis
                  ? CompletableFuture.completedFuture(true)
                  : wire.setData(layout.broom(), NOTHING, node.stat().getVersion())
                      .thenCompose(mine -> collect(session));
            })
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? wire.create(layout.broom(), NOTHING, CreateMode.PERSISTENT)
                        .thenCompose(made -> collect(session))
                    : CompletableFuture.completedFuture(true));
  }

  /** All lines of all namespaces. */
  private CompletableFuture<Boolean> collect(Session session) {
    return session
        .wire()
        .children(layout.root(), null)
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
    String path = layout.namespace(namespace);
    return Listing.of(session.wire(), path)
        .thenAccept(names -> names.forEach(name -> lines.add(path + "/" + name)))
        // One that is too large, or gone, does not keep the others from being swept.
        .handle((done, failure) -> failure == null);
  }

  private CompletableFuture<Boolean> sweep(Session session, String line) {
    Wire wire = session.wire();
    return wire.listed(line, null)
        .thenCompose(
            listed -> {
              Roll roll = Roll.of(listed.names());
              long now = session.storeMillis(nanoTime.getAsLong());
              List<CompletableFuture<?>> all = new ArrayList<>();
              all.add(marks.left(session, line, roll.marks(), now));
              all.add(SizeRecords.sweep(wire, line, listed));
              for (Child.Revoked word : roll.orphans()) {
                all.add(removeIfOld(wire, line + "/" + word.name(), now));
              }
              return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
            })
        .handle((done, failure) -> failure == null);
  }

  private CompletableFuture<Boolean> removeIfOld(Wire wire, String path, long now) {
    return wire.exists(path)
        .thenCompose(
            stat ->
                stat.isPresent() && now - stat.get().getCtime() > everyMillis
                    ? wire.remove(path)
                    : CompletableFuture.completedFuture(false));
  }
}
