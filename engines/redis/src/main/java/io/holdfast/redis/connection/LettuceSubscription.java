package io.holdfast.redis.connection;

import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.RetryDelay;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A subscription over a caller-supplied Lettuce client, which reconnects by itself. A client that
 * was replaced does not, so it is opened again over the next one.
 */
@SuppressWarnings("FutureReturnValueIgnored") // The listeners receive the outcome.
final class LettuceSubscription extends RedisPubSubAdapter<String, String>
    implements Subscription, RedisConnectionStateListener {

  private static final RetryDelay RETRY =
      RetryDelay.steady(Duration.ofMillis(500), () -> ThreadLocalRandom.current().nextDouble());

  private final Opening opening;
  private final SignalListener listener;
  private final BackgroundLoop connecting;
  private final ChannelTable channels = new ChannelTable();
  private @Nullable StatefulRedisPubSubConnection<String, String> connection;

  /** Whether the connection has broken off and Lettuce has not reconnected. */
  private boolean broken;

  /** Opens the connection over the client of this moment. */
  private interface Opening {

    /** Returns a new connection; null if the client is the one of the connection before. */
    @Nullable StatefulRedisPubSubConnection<String, String> open();
  }

  private LettuceSubscription(Opening opening, String address, SignalListener listener) {
    this.opening = opening;
    this.listener = listener;
    this.connecting = new BackgroundLoop("holdfast-signals-" + address, Thread::new, this::connect);
  }

  /**
   * Starts it.
   *
   * @param open opens the connection, to the server or to any node of a cluster
   */
  static <C> LettuceSubscription start(
      Supplier<C> clients,
      Function<C, ? extends StatefulRedisPubSubConnection<String, String>> open,
      String address,
      SignalListener listener) {
    AtomicReference<@Nullable C> last = new AtomicReference<>();
    Opening opening =
        () -> {
          C client = clients.get();
          if (client == last.get()) {
            return null;
          }
          StatefulRedisPubSubConnection<String, String> fresh = open.apply(client);
          last.set(client);
          return fresh;
        };
    LettuceSubscription subscription = new LettuceSubscription(opening, address, listener);
    subscription.connecting.start();
    return subscription;
  }

  /** Connects until it succeeds; from then on Lettuce reconnects, unless the client is replaced. */
  private long connect() {
    try {
      StatefulRedisPubSubConnection<String, String> fresh = opening.open();
      if (fresh != null) {
        begin(fresh);
      }
      return isOpen() ? BackgroundLoop.UNTIL_WOKEN : RETRY.nanosAfter(1);
    } catch (RedisException | IllegalStateException e) {
      // An illegal state: it was shut down.
      return RETRY.nanosAfter(1);
    }
  }

  private synchronized boolean isOpen() {
    return connection != null && !broken && connection.isOpen();
  }

  private synchronized void begin(StatefulRedisPubSubConnection<String, String> fresh) {
    if (connecting.isClosed()) {
      fresh.closeAsync();
      return;
    }
    connection = fresh;
    broken = false;
    fresh.addListener((RedisConnectionStateListener) this);
    fresh.addListener((RedisPubSubListener<String, String>) this);
    channels.all().forEach(channel -> fresh.async().subscribe(channel));
  }

  @Override
  public synchronized void add(String channel) {
    if (channels.want(channel) && connection != null) {
      connection.async().subscribe(channel);
    }
  }

  @Override
  public synchronized void remove(String channel) {
    if (channels.unwant(channel) && connection != null) {
      channels.endSent(channel);
      connection.async().unsubscribe(channel);
    }
  }

  @Override
  public void subscribed(String channel, long count) {
    boolean armed;
    synchronized (this) {
      armed = channels.begun(channel);
    }
    if (armed) {
      listener.armed(channel);
    }
  }

  @Override
  public synchronized void unsubscribed(String channel, long count) {
    channels.ended(channel);
  }

  @Override
  public void message(String channel, String message) {
    listener.message(channel, message);
  }

  @Override
  public synchronized void onRedisConnected(
      RedisChannelHandler<?, ?> again, SocketAddress address) {
    broken = false;
  }

  @Override
  public void onRedisDisconnected(RedisChannelHandler<?, ?> off) {
    List<String> silent;
    synchronized (this) {
      broken = true;
      silent = connecting.isClosed() ? List.of() : channels.gap();
    }
    silent.forEach(listener::lost);
    connecting.wake();
  }

  @Override
  public synchronized void close() {
    connecting.close();
    if (connection != null) {
      connection.closeAsync();
    }
  }
}
