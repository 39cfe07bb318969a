package io.holdfast.redis.connection;

import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.RetryDelay;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subscription over a caller-supplied Lettuce client, which reconnects by itself. */
@SuppressWarnings("FutureReturnValueIgnored") // The listeners receive the outcome.
final class LettuceSubscription extends RedisPubSubAdapter<String, String>
    implements Subscription, RedisConnectionStateListener {

  private static final RetryDelay RETRY =
      RetryDelay.steady(Duration.ofMillis(500), () -> ThreadLocalRandom.current().nextDouble());

  private final Supplier<? extends StatefulRedisPubSubConnection<String, String>> client;
  private final SignalListener listener;
  private final BackgroundLoop connecting;
  private final ChannelTable channels = new ChannelTable();
  private @Nullable StatefulRedisPubSubConnection<String, String> connection;

  private LettuceSubscription(
      Supplier<? extends StatefulRedisPubSubConnection<String, String>> client,
      String address,
      SignalListener listener) {
    this.client = client;
    this.listener = listener;
    this.connecting = new BackgroundLoop("holdfast-signals-" + address, Thread::new, this::connect);
  }

  /**
   * Starts it.
   *
   * @param client opens the connection, to the server or to any node of a cluster
   */
  static LettuceSubscription start(
      Supplier<? extends StatefulRedisPubSubConnection<String, String>> client,
      String address,
      SignalListener listener) {
    LettuceSubscription subscription = new LettuceSubscription(client, address, listener);
    subscription.connecting.start();
    return subscription;
  }

  /** Connects until it succeeds once; from then on Lettuce reconnects. */
  private long connect() {
    try {
      begin(client.get());
      return BackgroundLoop.STOP;
    } catch (RedisException e) {
      return RETRY.nanosAfter(1);
    }
  }

  private synchronized void begin(StatefulRedisPubSubConnection<String, String> fresh) {
    if (connecting.isClosed()) {
      fresh.closeAsync();
      return;
    }
    connection = fresh;
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
  public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
    List<String> silent;
    synchronized (this) {
      silent = connecting.isClosed() ? List.of() : channels.gap();
    }
    silent.forEach(listener::lost);
  }

  @Override
  public synchronized void close() {
    connecting.close();
    if (connection != null) {
      connection.closeAsync();
    }
  }
}
