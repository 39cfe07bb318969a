package io.holdfast.redis.wire;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Listens over a connection of somebody's Lettuce client, which makes it anew by itself. */
@SuppressWarnings("FutureReturnValueIgnored") // What came of it is told to the listeners.
final class LettuceSubscription extends RedisPubSubAdapter<String, String>
    implements Subscription, RedisConnectionStateListener {

  private static final long PAUSE_MILLIS = 500;

  private final RedisClient client;
  private final SignalListener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Channels channels = new Channels();
  private @Nullable StatefulRedisPubSubConnection<String, String> connection;

  private LettuceSubscription(RedisClient client, SignalListener listener) {
    this.client = client;
    this.listener = listener;
  }

  static LettuceSubscription start(RedisClient client, String address, SignalListener listener) {
    LettuceSubscription subscription = new LettuceSubscription(client, listener);
    Thread thread = new Thread(subscription::connect, "holdfast-signals-" + address);
    thread.setDaemon(true);
    thread.start();
    return subscription;
  }

  /** Until it is there once; from then on Lettuce keeps it. */
  private void connect() {
    boolean over = false;
    while (!over) {
      try {
        begin(client.connectPubSub());
        return;
      } catch (RedisException e) {
        over = pause();
      }
    }
  }

  private boolean pause() {
    try {
      return closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private synchronized void begin(StatefulRedisPubSubConnection<String, String> fresh) {
    if (closed.getCount() == 0) {
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
      silent = closed.getCount() == 0 ? List.of() : channels.gap();
    }
    silent.forEach(listener::lost);
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    if (connection != null) {
      connection.closeAsync();
    }
  }
}
