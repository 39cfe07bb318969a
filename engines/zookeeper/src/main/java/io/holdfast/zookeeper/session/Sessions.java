package io.holdfast.zookeeper.session;

import io.holdfast.spi.EngineException;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.connection.StoreErrors;
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
 * Opens the one session of a client, and the next one when it has ended.
 *
 * <p>A new session takes over nothing: holds of the old one are lost, and its waiters join again.
 * Safe for several threads.
 */
public final class Sessions implements Watcher, AutoCloseable {

  private static final long POLL_NANOS = 20_000_000;
  private static final long CLOSE_NANOS = 500_000_000;

  private final ClientFactory clients;
  private final SessionOpening opening;
  private final StoreErrors errors;
  private final LongSupplier nanoTime;
  private final long timeoutNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Semaphore changed = new Semaphore(0);

  private volatile @Nullable Session current;
  private ClientFactory.@Nullable PendingClient connecting;

  /** The session of a caller-supplied client while it is not known how long it lasts. */
  private @Nullable Session unconfirmed;

  private volatile boolean closed;
  private volatile Runnable onConnected = () -> {};

  /**
   * Creates it without a session.
   *
   * @param timeoutNanos how long a caller waits for a connection
   */
  public Sessions(
      ClientFactory clients,
      SessionOpening opening,
      StoreErrors errors,
      LongSupplier nanoTime,
      long timeoutNanos) {
    this.clients = clients;
    this.opening = opening;
    this.errors = errors;
    this.nanoTime = nanoTime;
    this.timeoutNanos = timeoutNanos;
  }

  /** Sets what is called when a client has connected or reconnected; does not block. */
  void onConnected(Runnable action) {
    onConnected = action;
  }

  /** Returns the last opened session, which may be over; null before the first one. */
  public @Nullable Session peek() {
    return current;
  }

  /** Returns whether this client has ended, which may leave its session to the store. */
  public boolean isClosed() {
    return closed;
  }

  /** Returns a connected session, and waits for it. */
  public Session require() throws EngineException {
    Session session = current;
    if (session != null && !closed && session.isConnected()) {
      return session;
    }
    long end = nanoTime.getAsLong() + timeoutNanos;
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw errors.refusals().closed();
        }
        session = connectedOrStart(end);
        if (session != null) {
          return session;
        }
        awaitChange(end);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.NotDone("interrupted while connecting to " + errors.store(), e);
    } finally {
      lock.unlock();
    }
  }

  private void awaitChange(long end) throws EngineException, InterruptedException {
    long left = end - nanoTime.getAsLong();
    if (left <= 0) {
      throw new EngineException.NotDone(
          unconfirmed == null
              ? "no connection to " + errors.store()
              : "it is not known yet how long the client's session at " + errors.store() + " lasts",
          null);
    }
    // Polls as well: a caller-supplied client notifies its own watcher, not this one.
    boolean notified = changed.tryAcquire(Math.min(left, POLL_NANOS), TimeUnit.NANOSECONDS);
    if (notified) {
      changed.drainPermits();
    }
  }

  /** Returns the session if it is connected; starts to connect if there is none. */
  private @Nullable Session connectedOrStart(long end) throws EngineException {
    Session session = current;
    if (session != null && !session.isOver()) {
      return session.isConnected() ? session : null;
    }
    if (unconfirmed != null) {
      return confirmCallerSupplied(unconfirmed);
    }
    ClientFactory.PendingClient pending = connecting;
    if (pending != null && !pending.client().getState().isAlive()) {
      boolean refused = pending.client().getState() == ZooKeeper.States.AUTH_FAILED;
      connecting = null;
      CompletableFuture<?> unused = clients.close(pending.client());
      if (refused) {
        throw new EngineException.Refused(
            errors.store() + " does not accept the login: check user and password");
      }
      pending = null;
    }
    if (pending == null) {
      connecting = connect();
      return null;
    }
    return pending.client().getState().isConnected() ? open(pending, end) : null;
  }

  private @Nullable Session open(ClientFactory.PendingClient pending, long end)
      throws EngineException {
    boolean callerSupplied = clients.isCallerSupplied();
    long left = end - nanoTime.getAsLong();
    Session opened = opening.open(pending, callerSupplied, left);
    connecting = null;
    unconfirmed = callerSupplied ? opened : null;
    current = callerSupplied ? null : opened;
    return current;
  }

  /**
   * Opens the session of a client that connected after its callers had given up, so that its
   * heartbeat begins: nothing would be known of the session when the next caller comes. Called with
   * every heartbeat.
   */
  void openLate() {
    if (!lock.tryLock()) {
      // The caller that holds the lock opens it.
      return;
    }
    try {
      ClientFactory.PendingClient pending = connecting;
      if (!closed && pending != null && pending.client().getState().isConnected()) {
        Session unused = open(pending, nanoTime.getAsLong() + timeoutNanos);
      }
    } catch (EngineException e) {
      // The next caller receives it.
    } finally {
      lock.unlock();
    }
  }

  /** Returns the session of a caller-supplied client once heartbeats have shown that it lasts. */
  private @Nullable Session confirmCallerSupplied(Session session) {
    if (session.isOver() || session.validity().remaining() > 0) {
      unconfirmed = null;
      current = session;
      return session.isConnected() ? session : null;
    }
    if (session.isConnected() && session.validity().isStale()) {
      CompletableFuture<Boolean> unused = session.beat();
    }
    return null;
  }

  private ClientFactory.PendingClient connect() throws EngineException {
    Session old = current;
    if (old != null) {
      CompletableFuture<?> unused = clients.close(old.connection().client());
    }
    try {
      return clients.connect(this, nanoTime);
    } catch (IOException | IllegalArgumentException e) {
      throw new EngineException.NotDone("no connection to " + errors.store(), e);
    }
  }

  /** The state of a connection has changed. On the client's own thread, which must not wait. */
  @Override
  public void process(WatchedEvent event) {
    changed.release();
    if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
      onConnected.run();
    }
  }

  /** Ends the session, and with it all holds. */
  @Override
  public void close() {
    close(callerSupplied -> CompletableFuture.completedFuture(true));
  }

  /**
   * Ends the session, and with it all holds. Waits for the store's confirmation, but not for long:
   * a program that exits without it would leave its nodes until the session times out.
   *
   * @param cleanup clears a caller-supplied session, which is not ended here; does not block
   */
  public void close(Function<Session, CompletableFuture<?>> cleanup) {
    end(
        session ->
            clients.isCallerSupplied()
                ? cleanup.apply(session)
                : clients.close(session.connection().client()));
  }

  /** Closes the connection. The store keeps the session until it times out. */
  public void detach() {
    end(session -> clients.detach(session.connection().client()));
  }

  private void end(Function<Session, CompletableFuture<?>> endSession) {
    List<CompletableFuture<?>> ending = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      changed.release();
      if (connecting != null) {
        ending.add(clients.close(connecting.client()));
      }
      Session session = unconfirmed == null ? current : unconfirmed;
      if (session != null) {
        ending.add(endSession.apply(session));
      }
    } finally {
      lock.unlock();
    }
    awaitEnd(CompletableFuture.allOf(ending.toArray(new CompletableFuture<?>[0])));
  }

  private void awaitEnd(CompletableFuture<?> ended) {
    try {
      Object unused = ended.get(Math.min(CLOSE_NANOS, timeoutNanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // An unreachable store does not hold up the close.
    }
  }
}
