package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * A subscription over one connection, and the thread that reads it.
 *
 * <p>There is no connection until a channel is wanted. When it breaks, the thread reconnects with
 * every channel that is still wanted.
 */
final class SubscriberThread implements Subscription {

  /*
   * Writing and reading are separate: a caller that adds or removes a channel writes under the
   * lock, and only the thread reads. A connection is written to only while it is the current one. The thread
   * gives up a connection by clearing it under the lock, so no command is lost on a dead one: the
   * wanted channels are known, and the next connection begins with all of them. A writer may hang on a
   * server that does not read; the thread therefore cuts a connection before it asks for the lock,
   * and does not wait for the lock to send a ping.
   */

  private static final System.Logger LOG = System.getLogger(SubscriberThread.class.getName());
  private static final RetryDelay RECONNECT =
      new RetryDelay(
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          () -> ThreadLocalRandom.current().nextDouble());

  private static final String WATCH_SEPARATOR = String.valueOf(ServerTopology.WATCH_SEPARATOR);

  /** Rights and proxies change seldom, and a missing watch costs little. */
  private static final long REFUSED_WATCH_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String address;
  private final SubscriberSettings settings;
  private final OpenSockets sockets = new OpenSockets();
  private final ReentrantLock lock = new ReentrantLock();
  private final ChannelTable channels = new ChannelTable();
  private final RetryDelay.Sequence delay = RECONNECT.sequence();
  private final BackgroundLoop loop;
  private @Nullable SubscriberConnection current;
  private boolean warned;

  /** Used by the thread only. */
  private boolean refused;

  private SubscriberThread(String address, SubscriberSettings settings) {
    this.address = address;
    this.settings = settings;
    this.loop = new BackgroundLoop("holdfast-signals-" + address, Thread::new, this::listen);
  }

  static SubscriberThread start(String address, SubscriberSettings settings) {
    SubscriberThread subscriber = new SubscriberThread(address, settings);
    subscriber.loop.start();
    return subscriber;
  }

  @Override
  public void add(String channel) {
    locked(
        () -> {
          boolean first = channels.isEmpty();
          if (channels.want(channel)) {
            write(subscriber -> subscriber.begin(List.of(channel)));
          }
          if (first && current == null) {
            loop.wake();
          }
        });
  }

  @Override
  public void remove(String channel) {
    locked(
        () -> {
          if (channels.unwant(channel) && current != null && !settings.style().watches()) {
            channels.endSent(channel);
            write(subscriber -> subscriber.end(channel));
          }
        });
  }

  /** Returns the channels that are wanted here. */
  List<String> wanted() {
    lock.lock();
    try {
      return channels.all();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    // First, so that a writer that hangs releases the lock.
    sockets.close();
    loop.close();
    locked(() -> current = null);
  }

  /** Drops the present connection, if there is one; the opener decides where the next one goes. */
  void reconnect() {
    sockets.cutAll();
  }

  private void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private void write(Consumer<SubscriberConnection> writing) {
    SubscriberConnection open = current;
    if (open == null) {
      return;
    }
    try {
      writing.accept(open);
    } catch (JedisException e) {
      // The reading thread meets the same problem and reconnects with all wanted channels.
      open.cut();
    }
  }

  private void ping() {
    if (lock.tryLock()) {
      try {
        write(SubscriberConnection::ping);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Listens while a channel is wanted, and returns the pause before the next connection. */
  private long listen() {
    if (wanted().isEmpty()) {
      return BackgroundLoop.UNTIL_WOKEN;
    }
    boolean heard = false;
    try {
      heard = receive();
      settings.placement().review(this);
    } catch (RuntimeException e) {
      // Thrown by the listener. Signals are only hints, but they must not end for ever.
      LOG.log(System.Logger.Level.WARNING, "signals of " + address + " ended unexpectedly", e);
    }
    if (heard) {
      delay.reset();
    }
    long pause = delay.nextNanos();
    boolean isRefusedWatch = refused && settings.style().watches();
    refused = false;
    return isRefusedWatch ? REFUSED_WATCH_PAUSE_NANOS : pause;
  }

  /** Reads until the connection ends; returns whether anything was received. */
  private boolean receive() {
    SubscriberConnection subscriber;
    try {
      RedisConnection connection = settings.opener().open(sockets);
      subscriber =
          new SubscriberConnection(connection, settings.style(), settings.silence(), this::ping);
    } catch (EngineException | JedisException e) {
      warn(String.valueOf(e.getMessage()));
      return false;
    }
    boolean heard = false;
    try {
      begin(subscriber);
      while (true) {
        dispatch(subscriber.next());
        heard = true;
      }
    } catch (JedisException e) {
      // Closed by us or broken: in both cases the loop decides what to do next.
      return heard;
    } finally {
      end(subscriber);
    }
  }

  private void begin(SubscriberConnection subscriber) {
    lock.lock();
    try {
      if (loop.isClosed()) {
        throw new JedisException("closed");
      }
      current = subscriber;
      subscriber.greet();
      subscriber.begin(channels.all());
    } finally {
      lock.unlock();
    }
  }

  private void end(SubscriberConnection subscriber) {
    subscriber.cut();
    List<String> silent;
    lock.lock();
    try {
      current = null;
      silent = loop.isClosed() ? List.of() : channels.gap();
    } finally {
      lock.unlock();
    }
    silent.forEach(settings.listener()::lost);
  }

  private void dispatch(SubscriberSignal signal) {
    if (signal instanceof SubscriberSignal.Message message) {
      settings.listener().message(message.channel(), message.payload());
    } else if (signal instanceof SubscriberSignal.Begun begun) {
      begun(begun.channel());
    } else if (signal instanceof SubscriberSignal.Ended ended) {
      ended(ended.channel());
    } else if (signal instanceof SubscriberSignal.Changed change) {
      settings.listener().changed(change.keys());
    } else if (signal instanceof SubscriberSignal.Moved moved) {
      moved(moved.where());
    } else if (signal instanceof SubscriberSignal.Trouble trouble) {
      refused = true;
      warn(String.valueOf(trouble.why().getMessage()));
      settings.listener().refused(address + " said: " + trouble.why().getMessage());
      throw trouble.why();
    }
  }

  private void begun(String channel) {
    boolean armed;
    lock.lock();
    try {
      warned = false;
      armed = channels.begun(channel);
    } finally {
      lock.unlock();
    }
    if (armed) {
      settings.listener().armed(channel);
    }
  }

  /** A slot that moves ends its channels by itself. */
  private void ended(String channel) {
    boolean ourselves;
    boolean silenced;
    lock.lock();
    try {
      ourselves = !channels.ended(channel);
      silenced = !ourselves && channels.silence(channel);
    } finally {
      lock.unlock();
    }
    if (silenced) {
      settings.listener().lost(channel);
    }
    if (!ourselves) {
      settings.placement().review(this);
      again(channel);
    }
  }

  /** Subscribes again to a channel that has stayed here. */
  private void again(String channel) {
    locked(
        () -> {
          if (channels.isWanted(channel)) {
            write(subscriber -> subscriber.begin(List.of(channel)));
          }
        });
  }

  private void moved(JedisRedirectionException where) {
    if (where instanceof JedisAskDataException) {
      // From a watch whose keys are migrating: it is checked again until they have arrived.
      List<String> keys =
          wanted().stream()
              .filter(watch -> Slots.of(watch) == where.getSlot())
              .flatMap(watch -> Stream.of(watch.split(WATCH_SEPARATOR, -1)).skip(1))
              .distinct()
              .toList();
      if (!keys.isEmpty()) {
        settings.listener().changed(keys);
      }
      return;
    }
    locked(() -> channels.forgetEnds(channel -> Slots.of(channel) == where.getSlot()));
    settings.placement().moved(this, where);
  }

  /** Warns once per problem: until it is over, only time is lost. */
  private void warn(String why) {
    boolean over = warned || sockets.isClosed();
    warned = true;
    if (!over) {
      String what = "no signals from " + address + " for now, " + settings.without() + ": " + why;
      boolean matters = !settings.style().watches();
      LOG.log(matters ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, what);
    }
  }
}
