package io.holdfast.zookeeper.session;

import io.holdfast.spi.support.LeaseClock;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.signals.WatchRegistry;
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
public final class Session {

  private static final int MAX_KNOWN_LINES = 10_000;
  private static final byte[] NOTHING = {};

  private final ZooKeeper client;
  private final ZooKeeperConnection connection;
  private final String ownNode;
  private final SessionValidity validity;
  private final LongSupplier nanoTime;
  private final WatchRegistry watches = new WatchRegistry();
  private final Namespaces namespaces;
  private final Set<String> knownLines =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MAX_KNOWN_LINES;
                }
              }));
  private final AtomicReference<@Nullable PendingBeat> pendingBeat = new AtomicReference<>();
  private final Runnable moveToNextServer;
  private volatile StoreTime time;
  private volatile boolean expired;
  private volatile boolean abandoned;
  private volatile @Nullable Throwable lastBeatFailure;

  /** A heartbeat that was sent and has no reply yet. */
  private record PendingBeat(LeaseClock.Moment sent, CompletableFuture<Boolean> reply) {}

  /** A moment on the store's clock and on the local one. */
  private record StoreTime(long millis, long nanos) {}

  /**
   * Creates the state of a session whose own node was just created.
   *
   * @param ownNode the path of the node that heartbeats write to
   * @param storeMillis the store's time when that node was created
   * @param moveToNextServer resumes the session at another server, if there is one
   */
  Session(
      ZooKeeperConnection connection,
      Paths paths,
      String ownNode,
      SessionValidity validity,
      long storeMillis,
      LongSupplier nanoTime,
      Runnable moveToNextServer) {
    this.moveToNextServer = moveToNextServer;
    this.client = connection.client();
    this.connection = connection;
    this.ownNode = ownNode;
    this.validity = validity;
    this.nanoTime = nanoTime;
    this.namespaces = new Namespaces(connection, paths);
    this.time = new StoreTime(storeMillis, nanoTime.getAsLong());
  }

  /** Returns the requests of this session. */
  public ZooKeeperConnection connection() {
    return connection;
  }

  /** Returns the path of the node that heartbeats write to. */
  public String ownNode() {
    return ownNode;
  }

  /** Returns the id that the store gave to the session. */
  public long id() {
    return client.getSessionId();
  }

  /** Returns the timeout that the server granted. */
  int timeoutMillis() {
    return client.getSessionTimeout();
  }

  /** From now on a deleted own node is not created again. */
  void abandonOwnNode() {
    abandoned = true;
  }

  /** Returns how long the store surely keeps the session. */
  public SessionValidity validity() {
    return validity;
  }

  /** Returns the watchers of this session. */
  public WatchRegistry watches() {
    return watches;
  }

  /** Returns the namespaces as this session knows them. */
  public Namespaces namespaces() {
    return namespaces;
  }

  /** Returns whether the session has ended, as reported by the store or by closing its client. */
  public boolean isOver() {
    return expired || !client.getState().isAlive();
  }

  /** Returns whether the session lasts and is connected to a server. */
  public boolean isConnected() {
    return !expired && client.getState().isConnected();
  }

  /**
   * Sends a heartbeat: a write to the session's own node. Only one is pending at a time; a call
   * while one is pending returns that one. Does not block.
   *
   * @return completes with whether the store has confirmed the write
   */
  public CompletableFuture<Boolean> beat() {
    LeaseClock.Moment sent = validity.now();
    CompletableFuture<Boolean> reply = new CompletableFuture<>();
    PendingBeat other = pendingBeat.compareAndExchange(null, new PendingBeat(sent, reply));
    if (other != null) {
      return other.reply;
    }
    CompletableFuture<?> unused =
        Futures.then(
                connection.setData(ownNode, NOTHING, -1),
                CompletableFuture::completedFuture,
                failure ->
                    StoreErrors.code(failure) == Code.NONODE
                        ? createOwnNode()
                        : CompletableFuture.<Stat>failedFuture(failure))
            .whenComplete(
                (stat, failure) -> {
                  if (failure == null) {
                    validity.confirmed(sent);
                    time = new StoreTime(stat.getMtime(), nanoTime.getAsLong());
                  }
                  lastBeatFailure = failure;
                  expired |= failure != null && StoreErrors.code(failure) == Code.SESSIONEXPIRED;
                  pendingBeat.set(null);
                  reply.complete(failure == null);
                });
    return reply;
  }

  /** Another client deleted the node, which does no harm. */
  private CompletableFuture<Stat> createOwnNode() {
    if (abandoned) {
      return CompletableFuture.failedFuture(KeeperException.create(Code.NONODE, ownNode));
    }
    return connection
        .create(ownNode, NOTHING, CreateMode.EPHEMERAL)
        .thenApply(ZooKeeperConnection.Created::stat);
  }

  /** Returns for how long the pending heartbeat has had no reply; 0 if none is pending. */
  long unansweredNanos(long now) {
    PendingBeat last = pendingBeat.get();
    return last == null ? 0 : now - last.sent.nanos();
  }

  /**
   * Leaves the connected server, which does not reply, for another server, which knows the session
   * as well. Pending requests fail as lost with the connection.
   */
  void moveToNextServer() {
    moveToNextServer.run();
    // The client looks at its socket when there is something to send.
    push();
  }

  /** Returns the failure of the last heartbeat; null if it succeeded. */
  public @Nullable Throwable lastBeatFailure() {
    return lastBeatFailure;
  }

  /**
   * Completes when the connected server has seen everything that was confirmed before this call. A
   * sync would be enough if the leader waited for itself: it may have let a follower reply before
   * it has caught up. Concurrent callers share a write.
   */
  public CompletableFuture<Boolean> catchUp() {
    PendingBeat last = pendingBeat.get();
    CompletableFuture<Boolean> confirmed =
        last == null ? beat() : last.reply.thenCompose(done -> beat());
    return confirmed.thenCompose(
        done ->
            done
                ? CompletableFuture.completedFuture(true)
                : CompletableFuture.failedFuture(
                    KeeperException.create(Code.CONNECTIONLOSS, ownNode)));
  }

  /**
   * Makes later requests see as much as if they had waited for {@link #catchUp}: the server replies
   * to a session in the order of its requests, and to this write after everything before it.
   */
  public void push() {
    CompletableFuture<Stat> unused = connection.setData(ownNode, NOTHING, -1);
  }

  /**
   * Makes later requests see what was confirmed before, on any server, without a write. On the
   * leader itself the last few moments may be missing, so this is for waiters that ask again: at
   * worst they learn of their grant late, never too early.
   */
  public void sync(String path) {
    CompletableFuture<Boolean> unused = connection.sync(path);
  }

  /** Returns whether the node of this line is believed to exist. */
  public boolean isKnown(String line) {
    return knownLines.contains(line);
  }

  /** Remembers whether the node of a line exists. */
  public void setKnown(String line, boolean exists) {
    if (exists) {
      knownLines.add(line);
    } else {
      knownLines.remove(line);
    }
  }

  /** Returns the time on the store's clock, estimated from the last confirmed write. */
  public long storeMillis() {
    StoreTime seen = time;
    return seen.millis + (nanoTime.getAsLong() - seen.nanos) / 1_000_000;
  }
}
