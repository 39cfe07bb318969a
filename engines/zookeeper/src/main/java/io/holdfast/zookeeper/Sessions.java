package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The one session of a client, and the next when it is over. A new session takes over nothing: what
 * was held is lost, and who waited comes anew. Safe for several threads.
 */
final class Sessions implements Watcher, AutoCloseable {

  private static final long LOOK_NANOS = 20_000_000;
  private static final long FAREWELL_NANOS = 500_000_000;

  private final Connector connector;
  private final Opening opening;
  private final Words words;
  private final LongSupplier nanoTime;
  private final long patienceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Semaphore changed = new Semaphore(0);

  private volatile @Nullable Session current;
  private Connector.@Nullable Asked connecting;

  /** Of a client that was handed in: how long it lasts is not known yet. */
  private @Nullable Session unsure;

  private volatile boolean closed;
  private volatile Runnable onConnected = () -> {};

  /**
   * No session yet.
   *
   * @param patienceNanos how long a caller waits for a connection
   */
  Sessions(
      Connector connector,
      Opening opening,
      Words words,
      LongSupplier nanoTime,
      long patienceNanos) {
    this.connector = connector;
    this.opening = opening;
    this.words = words;
    this.nanoTime = nanoTime;
    this.patienceNanos = patienceNanos;
  }

  /** Sets what to do when a connection is up, again or for the first time; does not block. */
  void onConnected(Runnable action) {
    onConnected = action;
  }

  /** The session that there is, dead or alive. */
  @Nullable Session peek() {
    return current;
  }

  /** A session that is connected; waits for it. */
  Session require() throws EngineException {
    Session session = current;
    if (session != null && !closed && session.isConnected()) {
      return session;
    }
    long end = nanoTime.getAsLong() + patienceNanos;
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw words.refusals().closed();
        }
        session = ready(end);
        if (session != null) {
          return session;
        }
        await(end);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.NotDone("interrupted while connecting to " + words.store(), e);
    } finally {
      lock.unlock();
    }
  }

  private void await(long end) throws EngineException, InterruptedException {
    long left = end - nanoTime.getAsLong();
    if (left <= 0) {
      throw new EngineException.NotDone(
          unsure == null
              ? "no connection to " + words.store()
              : "it is not known yet how long the client's session at " + words.store() + " lasts",
          null);
    }
    // Looks again by itself: a client that was handed in tells its own watcher.
    boolean told = changed.tryAcquire(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
    if (told) {
      changed.drainPermits();
    }
  }

  /** The session if it is connected; begins one if there is none. */
  private @Nullable Session ready(long end) throws EngineException {
    Session session = current;
    if (session != null && !session.isOver()) {
      return session.isConnected() ? session : null;
    }
    if (unsure != null) {
      return sure(unsure);
    }
    Connector.Asked asked = connecting;
    if (asked != null && !asked.client().getState().isAlive()) {
      boolean refused = asked.client().getState() == ZooKeeper.States.AUTH_FAILED;
      connecting = null;
      CompletableFuture<?> unused = connector.close(asked.client());
      if (refused) {
        throw new EngineException.Refused(
            words.store() + " does not accept the login: check user and password");
      }
      asked = null;
    }
    if (asked == null) {
      connecting = connect();
      return null;
    }
    return asked.client().getState().isConnected() ? open(asked, end) : null;
  }

  private @Nullable Session open(Connector.Asked asked, long end) throws EngineException {
    boolean lent = connector.isLent();
    long left = end - nanoTime.getAsLong();
    Session opened = opening.open(asked, lent, left);
    connecting = null;
    unsure = lent ? opened : null;
    current = lent ? null : opened;
    return current;
  }

  /**
   * Opens the session of a client that has connected after those who waited for it had given up, so
   * that beats begin: nothing would be known of it when the next one comes. Called with every beat.
   */
  void tend() {
    if (!lock.tryLock()) {
      // Whoever waits for it opens it.
      return;
    }
    try {
      Connector.Asked asked = connecting;
      if (!closed && asked != null && asked.client().getState().isConnected()) {
        Session unused = open(asked, nanoTime.getAsLong() + patienceNanos);
      }
    } catch (EngineException e) {
      // Whoever comes next is told.
    } finally {
      lock.unlock();
    }
  }

  /** The session of a client that was handed in, once it surely lasts; a beat tells. */
  private @Nullable Session sure(Session lent) {
    long now = nanoTime.getAsLong();
    if (lent.isOver() || lent.belief().left(now) > 0) {
      unsure = null;
      current = lent;
      return lent.isConnected() ? lent : null;
    }
    if (lent.isConnected() && lent.belief().isStale(now)) {
      CompletableFuture<Boolean> unused = lent.beat(nanoTime);
    }
    return null;
  }

  private Connector.Asked connect() throws EngineException {
    Session old = current;
    if (old != null) {
      CompletableFuture<?> unused = connector.close(old.wire().client());
    }
    try {
      return connector.connect(this, nanoTime);
    } catch (IOException | IllegalArgumentException e) {
      throw new EngineException.NotDone("no connection to " + words.store(), e);
    }
  }

  /** The state of a connection has changed. On the client's own thread: it must not wait for us. */
  @Override
  public void process(WatchedEvent event) {
    changed.release();
    if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
      onConnected.run();
    }
  }

  /** Ends the session, and with it everything that is held. */
  @Override
  public void close() {
    close(lent -> CompletableFuture.completedFuture(true));
  }

  /**
   * Ends the session, and with it everything that is held. Waits for the store's word, though not
   * for long: a program that exits now would leave its nodes for the session's time.
   *
   * @param farewell what is to be done to a session that is not ours to end; does not block
   */
  void close(Function<Session, CompletableFuture<?>> farewell) {
    end(
        connector::close,
        session ->
            connector.isLent()
                ? farewell.apply(session)
                : connector.close(session.wire().client()));
  }

  /** Closes the connection. The store keeps the session until its time has passed. */
  void detach() {
    end(connector::close, session -> connector.detach(session.wire().client()));
  }

  /**
   * Ends what there is.
   *
   * @param unused for a client that never had a session of ours
   */
  private void end(
      Function<ZooKeeper, CompletableFuture<?>> unused,
      Function<Session, CompletableFuture<?>> used) {
    List<CompletableFuture<?>> goodbyes = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      changed.release();
      if (connecting != null) {
        goodbyes.add(unused.apply(connecting.client()));
      }
      Session session = unsure == null ? current : unsure;
      if (session != null) {
        goodbyes.add(used.apply(session));
      }
    } finally {
      lock.unlock();
    }
    await(CompletableFuture.allOf(goodbyes.toArray(new CompletableFuture<?>[0])));
  }

  private void await(CompletableFuture<?> goodbyes) {
    try {
      Object unused = goodbyes.get(Math.min(FAREWELL_NANOS, patienceNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Closing is not held up by a store that is away.
    }
  }
}
