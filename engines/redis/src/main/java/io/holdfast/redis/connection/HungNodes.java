package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Cluster nodes that did not reply in time. Thread-safe.
 *
 * <p>No lane asks them, so that they delay no other node; a background thread does, until they
 * reply.
 */
final class HungNodes implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(HungNodes.class.getName());
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /*
   * Why no node is forgotten: a node is added before the lock is taken to start a thread, and the
   * thread decides under the same lock, by looking for nodes, whether it ends. So either the thread
   * sees the node and goes on, or the caller that added it sees that there is no thread. No
   * BackgroundLoop: that one keeps its thread, and mostly no node hangs.
   */

  private final Duration silence;
  private final LongSupplier nanoTime;
  private final ThreadFactory threads;
  private final Predicate<Server> replies;
  private final OpenSockets sockets = new OpenSockets();
  private final Map<Server, Long> since = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean probing;
  private boolean closed;

  /**
   * Creates an empty set.
   *
   * @param silence after which a node counts as hung
   */
  HungNodes(ConnectionFactory factory, Duration silence) {
    this.silence = silence;
    this.nanoTime = System::nanoTime;
    this.threads = Thread::new;
    this.replies = node -> replies(factory, node);
  }

  /**
   * Creates an empty set, for tests.
   *
   * @param replies whether a node replies to a ping
   */
  HungNodes(
      Duration silence, LongSupplier nanoTime, ThreadFactory threads, Predicate<Server> replies) {
    this.silence = silence;
    this.nanoTime = nanoTime;
    this.threads = threads;
    this.replies = replies;
  }

  Duration silence() {
    return silence;
  }

  boolean contains(Server node) {
    return since.containsKey(node);
  }

  /** Returns why a node is not asked now, or null. */
  EngineException.@Nullable NotDone why(Server node) {
    Long then = since.get(node);
    return then == null
        ? null
        : new EngineException.NotDone(
            node
                + " has not replied for "
                + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - then)
                + " ms; it is asked again when it replies to a ping",
            null);
  }

  /** Adds a node that has not replied since that {@code nanoTime}, if that is long ago. */
  void addIfSilentSince(Server node, long then) {
    if (nanoTime.getAsLong() - then > silence.toNanos() && since.putIfAbsent(node, then) == null) {
      startProbing(node);
    }
  }

  private void startProbing(Server node) {
    lock.lock();
    try {
      if (!probing && !closed) {
        Thread thread = threads.newThread(this::probe);
        thread.setName("holdfast-hung-nodes");
        thread.setDaemon(true);
        thread.start();
        probing = true;
      }
    } catch (OutOfMemoryError e) {
      // No thread available: the next lane that needs the node asks it again.
      since.remove(node);
      LOG.log(System.Logger.Level.WARNING, "no thread to watch " + node, e);
    } finally {
      lock.unlock();
    }
  }

  /** The node has replied. */
  void remove(Server node) {
    since.remove(node);
  }

  private void probe() {
    while (goesOn()) {
      since.keySet().removeIf(this::hasReplied);
    }
  }

  /** Waits a moment; returns false if there is nothing left to do. */
  private boolean goesOn() {
    boolean goesOn;
    lock.lock();
    try {
      long left = PAUSE_NANOS;
      while (!closed && left > 0 && !since.isEmpty()) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "interrupted");
    } finally {
      // Decided under the lock: once it is false, a new silent node starts another thread.
      goesOn = !closed && !since.isEmpty();
      probing = goesOn;
      lock.unlock();
    }
    return goesOn;
  }

  /** Whatever goes wrong with one node, the others are asked too, and this one again. */
  private boolean hasReplied(Server node) {
    try {
      return replies.test(node);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(System.Logger.Level.WARNING, "could not ask " + node + ", which hangs", e);
      return false;
    }
  }

  /** Returns whether the node replied; a node that replies does not hang, whatever the reply. */
  private boolean replies(ConnectionFactory factory, Server node) {
    try {
      RedisConnection connection = factory.openUnchecked(node, sockets, Deadline.in(PATIENCE));
      try {
        Object ignored = connection.ask(Command.PING);
        return true;
      } finally {
        connection.cut();
      }
    } catch (EngineException.Refused e) {
      return true;
    } catch (EngineException | JedisException e) {
      return isConnectionRefused(e);
    }
  }

  /**
   * Returns whether the node refuses connections: it has ended, perhaps for good, and costs no
   * time.
   */
  private static boolean isConnectionRefused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    sockets.close();
  }
}
