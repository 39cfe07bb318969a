package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The nodes that did not reply in time. No lane asks them, so that they hold up no other node; a
 * thread in the background does, until they reply. Any thread may use it.
 */
final class HungNodes implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(HungNodes.class.getName());
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Dialer dialer;
  private final Duration silence;
  private final Sockets sockets = new Sockets();
  private final Map<Server, Long> since = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean probing;
  private boolean closed;

  /**
   * None yet.
   *
   * @param silence after which a node counts as one that hangs
   */
  HungNodes(Dialer dialer, Duration silence) {
    this.dialer = dialer;
    this.silence = silence;
  }

  Duration silence() {
    return silence;
  }

  boolean contains(Server node) {
    return since.containsKey(node);
  }

  /** Why a node is not asked now, or null. */
  EngineException.@Nullable NotDone why(Server node) {
    Long then = since.get(node);
    return then == null
        ? null
        : new EngineException.NotDone(
            node
                + " has not replied for "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - then)
                + " ms; it is asked again when it replies to a ping",
            null);
  }

  /** Adds a node that has not replied since that {@code nanoTime}, if that is long ago. */
  void addIfSilentSince(Server node, long then) {
    if (System.nanoTime() - then > silence.toNanos() && since.putIfAbsent(node, then) == null) {
      startProbing(node);
    }
  }

  private void startProbing(Server node) {
    lock.lock();
    try {
      if (!probing && !closed) {
        Thread thread = new Thread(this::probe, "holdfast-hung-nodes");
        thread.setDaemon(true);
        thread.start();
        probing = true;
      }
    } catch (OutOfMemoryError e) {
      // No thread to be had: it is asked again by whoever needs it.
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
      since.keySet().removeIf(this::replies);
    }
  }

  /** Waits a moment; false when there is nothing left to do. */
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

  /** Whatever it says: a node that replies does not hang. */
  private boolean replies(Server node) {
    try {
      Link link = dialer.plain(node, sockets, Deadline.in(PATIENCE));
      try {
        Object ignored = link.ask(Command.PING);
        return true;
      } finally {
        link.cut();
      }
    } catch (EngineException.Refused e) {
      return true;
    } catch (EngineException | JedisException e) {
      return isConnectionRefused(e);
    }
  }

  /** A node that refuses connections costs no time: it has ended, and perhaps for good. */
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
