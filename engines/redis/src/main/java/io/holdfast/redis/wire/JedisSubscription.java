package io.holdfast.redis.wire;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Listens over one connection of somebody's Jedis client, from the first channel until closed. */
final class JedisSubscription implements Subscription {

  /*
   * Jedis stops listening when the last channel has ended, and gives the connection back to its
   * pool. If another one is begun at that moment, the next user of the connection gets its answer.
   * So there is one more channel, on which nobody publishes; it ends last, when no other can begin.
   */

  private static final System.Logger LOG = System.getLogger(JedisSubscription.class.getName());
  private static final String LAST = "{hf:wake}:last";
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final UnifiedJedis jedis;
  private final SignalListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Channels channels = new Channels();
  private @Nullable Ear current;
  private boolean closed;
  private boolean warned;

  private JedisSubscription(UnifiedJedis jedis, SignalListener listener) {
    this.jedis = jedis;
    this.listener = listener;
  }

  static JedisSubscription start(UnifiedJedis jedis, String address, SignalListener listener) {
    JedisSubscription subscription = new JedisSubscription(jedis, listener);
    Thread thread = new Thread(subscription::run, "holdfast-signals-" + address);
    thread.setDaemon(true);
    thread.start();
    return subscription;
  }

  @Override
  public void add(String channel) {
    lock.lock();
    try {
      if (channels.want(channel)) {
        changed.signalAll();
        if (current != null) {
          current.begin(channel);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void remove(String channel) {
    lock.lock();
    try {
      if (channels.unwant(channel) && current != null) {
        current.end(channel);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      if (current != null) {
        current.endAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (awaitWanted()) {
      Ear ear = new Ear();
      try {
        // Returns when the last channel has ended.
        jedis.subscribe(ear, LAST);
      } catch (JedisDataException e) {
        warn(e);
        listener.refused("the program's own Jedis client said: " + e.getMessage());
      } catch (JedisException e) {
        warn(e);
      }
      gap();
    }
  }

  /** Once a trouble: until it is over, waiters poll, and nothing is lost but time. */
  private void warn(JedisException e) {
    boolean over = warned || isClosed();
    warned = true;
    if (!over) {
      LOG.log(System.Logger.Level.WARNING, "no signals for now, waiters poll: " + e.getMessage());
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  private boolean awaitWanted() {
    lock.lock();
    try {
      while (channels.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void gap() {
    List<String> silent;
    lock.lock();
    try {
      current = null;
      silent = closed ? List.of() : channels.gap();
    } finally {
      lock.unlock();
    }
    silent.forEach(listener::lost);
    lock.lock();
    try {
      long left = PAUSE_NANOS;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to send one, and with it Jedis would not listen: it is forgotten.
      LOG.log(System.Logger.Level.DEBUG, "interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** Written to under the lock, read by the thread. */
  private final class Ear extends JedisPubSub {

    void begin(String channel) {
      write(() -> subscribe(channel));
    }

    void end(String channel) {
      channels.endSent(channel);
      write(() -> unsubscribe(channel));
    }

    void endAll() {
      write(() -> unsubscribe());
    }

    private void write(Runnable writing) {
      try {
        writing.run();
      } catch (JedisException e) {
        // The thread that reads meets the same trouble and begins anew.
        LOG.log(System.Logger.Level.DEBUG, "not written", e);
      }
    }

    @Override
    public void onSubscribe(String channel, int count) {
      boolean armed;
      lock.lock();
      try {
        if (channel.equals(LAST)) {
          ready();
        }
        armed = channels.begun(channel);
      } finally {
        lock.unlock();
      }
      if (armed) {
        listener.armed(channel);
      }
    }

    private void ready() {
      current = this;
      warned = false;
      if (closed) {
        endAll();
      } else {
        channels.all().forEach(this::begin);
      }
    }

    @Override
    public void onUnsubscribe(String channel, int count) {
      lock.lock();
      try {
        channels.ended(channel);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onMessage(String channel, String message) {
      listener.message(channel, message);
    }
  }
}
