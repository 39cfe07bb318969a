package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Sharded channels or watches: one subscriber connection to each master that has one.
 *
 * <p>Channels follow their slots.
 */
final class ClusterSubscription implements Subscription, SubscriberSettings.Placement {

  /*
   * Adding a channel causes no I/O on the caller's thread. While it is not known where a slot is,
   * the channel goes to the first node; that node redirects it, or cannot be reached, and in both
   * cases its thread finds out where the channel belongs.
   */

  private final ClusterMap map;
  private final ConnectionFactory factory;
  private final Duration timeout;
  private final SignalListener listener;
  private final SubscriberSettings.Style style;
  private final String without;
  private final OpenSockets sockets = new OpenSockets();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Server> places = new HashMap<>();
  private final Map<Server, SubscriberThread> threads = new HashMap<>();
  private boolean closed;

  ClusterSubscription(
      ClusterMap map,
      ConnectionFactory factory,
      Duration timeout,
      SignalListener listener,
      SubscriberSettings.Style style,
      String without) {
    this.style = style;
    this.without = without;
    this.map = map;
    this.factory = factory;
    this.timeout = timeout;
    this.listener = listener;
  }

  @Override
  public void add(String channel) {
    lock.lock();
    try {
      if (!places.containsKey(channel)) {
        place(channel, home(channel));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void remove(String channel) {
    lock.lock();
    try {
      Server place = places.remove(channel);
      if (place != null) {
        thread(place).remove(channel);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    List<SubscriberThread> all;
    sockets.close();
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(threads.values());
      threads.clear();
      places.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(SubscriberThread::close);
  }

  @Override
  public void review(SubscriberThread thread) {
    map.doubt();
    try {
      map.freshen(sockets, Deadline.in(timeout));
    } catch (EngineException e) {
      // No node knows better: the channels stay, and the thread tries again and comes back here.
      return;
    }
    lock.lock();
    try {
      thread.wanted().forEach(channel -> move(thread, channel));
      retire();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void moved(SubscriberThread thread, JedisRedirectionException where) {
    lock.lock();
    try {
      Server asked = address(thread);
      if (asked == null) {
        return;
      }
      map.learn(where, asked);
      for (String channel : thread.wanted()) {
        if (Slots.of(channel) == where.getSlot()) {
          move(thread, channel);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void move(SubscriberThread from, String channel) {
    Server place = places.get(channel);
    Server home = home(channel);
    if (place != null && threads.get(place) == from && !place.equals(home)) {
      from.remove(channel);
      place(channel, home);
    }
  }

  private void place(String channel, Server where) {
    if (!closed) {
      places.put(channel, where);
      thread(where).add(channel);
    }
  }

  private Server home(String channel) {
    Server master = map.master(Slots.of(channel));
    return master == null ? map.anyone() : master;
  }

  private SubscriberThread thread(Server node) {
    return threads.computeIfAbsent(
        node,
        address ->
            SubscriberThread.start(
                address.toString(),
                new SubscriberSettings(
                    style,
                    mine -> factory.openUnchecked(address, mine, Deadline.in(timeout)),
                    timeout,
                    listener,
                    without,
                    this)));
  }

  private @Nullable Server address(SubscriberThread thread) {
    for (Map.Entry<Server, SubscriberThread> entry : threads.entrySet()) {
      if (entry.getValue() == thread) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** Nodes that have left the cluster need no thread. */
  private void retire() {
    Set<Server> used = Set.copyOf(places.values());
    List<Server> masters = map.masters();
    threads
        .entrySet()
        .removeIf(
            entry -> {
              boolean over = !used.contains(entry.getKey()) && !masters.contains(entry.getKey());
              if (over) {
                entry.getValue().close();
              }
              return over;
            });
  }
}
