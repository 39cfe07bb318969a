package io.holdfast.zookeeper;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session at the store, from its first confirmed write to its end. Safe for several threads.
 */
final class Session {

  private static final int KNOWN_LINES = 10_000;
  private static final byte[] NOTHING = {};

  private final ZooKeeper client;
  private final Wire wire;
  private final String own;
  private final Belief belief;
  private final Bells bells = new Bells();
  private final Namespaces namespaces;
  private final Set<String> lines =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > KNOWN_LINES;
                }
              }));
  private final AtomicReference<@Nullable UnderWay> beating = new AtomicReference<>();
  private final Runnable moveOn;
  private volatile StoreTime time;
  private volatile boolean over;
  private volatile boolean left;

  /** What the last beat failed with. */
  private volatile @Nullable Throwable trouble;

  /** A beat that was sent and not answered yet. */
  private record UnderWay(Belief.Moment sent, CompletableFuture<Boolean> answer) {}

  /** A moment on the store's clock and on ours. */
  private record StoreTime(long millis, long nanos) {}

  /**
   * A session.
   *
   * @param own its own node, which it writes to as a sign of life
   * @param millis the store's time when that node was made, which was at {@code nanos} on ours
   * @param moveOn attaches the session to another server, if there is one
   */
  Session(
      Wire wire,
      Layout layout,
      String own,
      Belief belief,
      long millis,
      long nanos,
      Runnable moveOn) {
    this.moveOn = moveOn;
    this.client = wire.client();
    this.wire = wire;
    this.own = own;
    this.belief = belief;
    this.namespaces = new Namespaces(wire, layout);
    this.time = new StoreTime(millis, nanos);
  }

  Wire wire() {
    return wire;
  }

  /** The path of its own node. */
  String own() {
    return own;
  }

  long id() {
    return client.getSessionId();
  }

  /** What the server has granted. */
  int timeoutMillis() {
    return client.getSessionTimeout();
  }

  /** Its own node is not made again from now on. */
  void leave() {
    left = true;
  }

  Belief belief() {
    return belief;
  }

  Bells bells() {
    return bells;
  }

  Namespaces namespaces() {
    return namespaces;
  }

  /** Whether the store has said that it is over, or we have. */
  boolean isOver() {
    return over || !client.getState().isAlive();
  }

  boolean isConnected() {
    return !over && client.getState().isConnected();
  }

  /**
   * A sign of life: a write to the session's own node, one at a time. Does not block; answered, for
   * better or worse, when the one that is under way was.
   */
  CompletableFuture<Boolean> beat(LongSupplier nanoTime) {
    Belief.Moment sent = belief.moment(nanoTime.getAsLong());
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    UnderWay other = beating.compareAndExchange(null, new UnderWay(sent, mine));
    if (other != null) {
      return other.answer;
    }
    CompletableFuture<?> unused =
        wire.setData(own, NOTHING, -1)
            .exceptionallyCompose(
                failure ->
                    Words.code(failure) == Code.NONODE
                        ? anew()
                        : CompletableFuture.failedFuture(failure))
            .whenComplete(
                (stat, failure) -> {
                  if (failure == null) {
                    long now = nanoTime.getAsLong();
                    belief.confirmed(sent, now);
                    time = new StoreTime(stat.getMtime(), now);
                  }
                  trouble = failure;
                  over |= failure != null && Words.code(failure) == Code.SESSIONEXPIRED;
                  beating.set(null);
                  mine.complete(failure == null);
                });
    return mine;
  }

  /** For how long the beat that is under way has not been answered; 0: there is none. */
  long unansweredNanos(long now) {
    UnderWay last = beating.get();
    return last == null ? 0 : now - last.sent.nanos();
  }

  /**
   * Leaves the server that we are connected to, as it does not answer, for another one that knows
   * the session as well. What is under way is answered as lost with the connection.
   */
  void moveOn() {
    moveOn.run();
    // The client looks at its socket when there is something to send.
    push();
  }

  /** What the last beat failed with, if it did. */
  @Nullable Throwable trouble() {
    return trouble;
  }

  /**
   * Answered when the server that we are connected to has seen all that was confirmed before this
   * call, and told it. A sync would be enough, if the leader waited for itself: it may have let a
   * follower answer before it has caught up. Callers at one time share a write.
   */
  CompletableFuture<Boolean> catchUp(LongSupplier nanoTime) {
    UnderWay last = beating.get();
    CompletableFuture<Boolean> caughtUp =
        last == null ? beat(nanoTime) : last.answer.thenCompose(done -> beat(nanoTime));
    return caughtUp.thenCompose(
        done ->
            done
                ? CompletableFuture.completedFuture(true)
                : CompletableFuture.failedFuture(KeeperException.create(Code.CONNECTIONLOSS, own)));
  }

  /**
   * What is asked for behind this is as new as if it had waited for {@link #catchUp}: the server
   * answers a session in the order of its requests, and the write after all that came before it.
   */
  void push() {
    CompletableFuture<Stat> unused = wire.setData(own, NOTHING, -1);
  }

  /**
   * What is asked for behind this shows what was confirmed before, on whatever server, and costs no
   * write. On the leader itself the last few moments may be missing, so it is for those that ask
   * again: a waiter is told late at worst, never that it is in too early.
   */
  void sync(String path) {
    CompletableFuture<Boolean> unused = wire.sync(path);
  }

  /** Somebody deleted the node: that costs nothing. */
  private CompletableFuture<Stat> anew() {
    if (left) {
      return CompletableFuture.failedFuture(KeeperException.create(Code.NONODE, own));
    }
    return wire.create(own, NOTHING, CreateMode.EPHEMERAL).thenApply(Wire.Made::stat);
  }

  /** Lines that are believed to be there. */
  boolean isKnown(String line) {
    return lines.contains(line);
  }

  void know(String line, boolean there) {
    if (there) {
      lines.add(line);
    } else {
      lines.remove(line);
    }
  }

  /** What the store's clock says, as far as we can tell. */
  long storeMillis(long now) {
    StoreTime seen = time;
    return seen.millis + (now - seen.nanos) / 1_000_000;
  }
}
