package io.holdfast.redis.connection;

import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** A subscription over one connection of a caller-supplied Jedis client. */
final class JedisSubscription implements Subscription {

  /*
   * Jedis stops listening when the last channel has ended, and gives the connection back to its
   * pool. If another channel begins at that moment, the next user of the connection gets its
   * reply. So there is one more channel, on which no client publishes; it ends last, when no other can
   * begin.
   */

  private static final System.Logger LOG = System.getLogger(JedisSubscription.class.getName());
  private static final String LAST = "{hf:wake}:last";
  private static final RetryDelay RETRY =
      RetryDelay.steady(Duration.ofMillis(500), () -> ThreadLocalRandom.current().nextDouble());

  private final UnifiedJedis jedis;
  private final SignalListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final ChannelTable channels = new ChannelTable();
  private final BackgroundLoop loop;
  private @Nullable PubSub current;
  private boolean warned;

  private JedisSubscription(UnifiedJedis jedis, String address, SignalListener listener) {
    this.jedis = jedis;
    this.listener = listener;
    this.loop = new BackgroundLoop("holdfast-signals-" + address, Thread::new, this::listen);
  }

  static JedisSubscription start(UnifiedJedis jedis, String address, SignalListener listener) {
    JedisSubscription subscription = new JedisSubscription(jedis, address, listener);
    subscription.loop.start();
    return subscription;
  }

  @Override
  public void add(String channel) {
    lock.lock();
    try {
      boolean first = channels.isEmpty();
      if (channels.want(channel) && current != null) {
        current.begin(channel);
      } else if (first) {
        loop.wake();
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
      loop.close();
      if (current != null) {
        current.endAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Listens until the last channel has ended, and returns the pause before the next time. */
  private long listen() {
    if (!isWanted()) {
      return BackgroundLoop.UNTIL_WOKEN;
    }
    try {
      jedis.subscribe(new PubSub(), LAST);
    } catch (JedisDataException e) {
      warn(e);
      listener.refused("the program's own Jedis client said: " + e.getMessage());
    } catch (JedisException e) {
      warn(e);
    } finally {
      gap();
    }
    return RETRY.nanosAfter(1);
  }

  /** Warns once per problem: until it is over, waiters poll, and only time is lost. */
  private void warn(JedisException e) {
    boolean over = warned || loop.isClosed();
    warned = true;
    if (!over) {
      LOG.log(System.Logger.Level.WARNING, "no signals for now, waiters poll: " + e.getMessage());
    }
  }

  private boolean isWanted() {
    lock.lock();
    try {
      return !channels.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void gap() {
    List<String> silent;
    lock.lock();
    try {
      current = null;
      silent = loop.isClosed() ? List.of() : channels.gap();
    } finally {
      lock.unlock();
    }
    silent.forEach(listener::lost);
  }

  /** Written under the lock, read by the thread. */
  private final class PubSub extends JedisPubSub {

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
        // The reading thread meets the same problem and starts again.
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
      if (loop.isClosed()) {
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
