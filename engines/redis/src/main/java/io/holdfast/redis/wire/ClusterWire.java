package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The wire to a cluster. A batch goes to all its nodes before any reply is read, and follows slots
 * that have moved. A node that fails or hangs costs its own calls alone.
 */
final class ClusterWire implements Wire {

  private static final int MOST_HOPS = 6;
  private static final Duration BEFORE_CONNECTING = Duration.ofMillis(50);

  private final ClusterMap map;
  private final Replicas replicas;
  private final Duration timeout;

  private final Sockets sockets = new Sockets();
  private final ClusterLinks links;

  ClusterWire(ClusterMap map, Dialer dialer, Replicas replicas, Duration timeout) {
    this.map = map;
    this.replicas = replicas;
    this.timeout = timeout;
    this.links = new ClusterLinks(dialer, sockets, map.hung(), map.patience());
  }

  /** Learns who has what, if nobody has yet. */
  ClusterWire open() throws EngineException {
    map.freshen(sockets, Deadline.in(timeout));
    return this;
  }

  @Override
  public List<Reply> run(List<Call> calls) {
    List<Errand> errands = Errand.of(calls);
    run(errands, () -> {});
    return Errand.replies(errands);
  }

  @Override
  public void run(List<Call> calls, Replies to) {
    List<Errand> errands = Errand.of(calls);
    BitSet passedOn = new BitSet(errands.size());
    run(
        errands,
        () -> {
          for (int i = passedOn.nextClearBit(0);
              i < errands.size();
              i = passedOn.nextClearBit(i + 1)) {
            if (!errands.get(i).isOpen()) {
              passedOn.set(i);
              to.reply(i, errands.get(i).reply());
            }
          }
        });
  }

  @Override
  public Reply command(byte[]... parts) {
    List<Errand> errands = List.of(Errand.of(parts));
    run(errands, () -> {});
    return Errand.replies(errands).get(0);
  }

  /**
   * Runs errands until all have their reply.
   *
   * @param heard called whenever some have got theirs
   */
  private void run(List<Errand> errands, Runnable heard) {
    Deadline deadline = Deadline.in(timeout);
    try {
      if (sockets.isClosed()) {
        throw new EngineException.NotDone("the connection was closed", null);
      }
      map.freshen(sockets, deadline);
      for (int hop = 0; hop < MOST_HOPS && errands.stream().anyMatch(Errand::isOpen); hop++) {
        hop(errands, deadline, heard);
      }
      for (Errand errand : errands) {
        if (errand.isOpen()) {
          errand.fail(new EngineException.NotDone("sent on by one node to the next", null));
        }
      }
    } catch (EngineException e) {
      errands.stream().filter(Errand::isOpen).forEach(errand -> errand.fail(e));
    }
    heard.run();
  }

  /**
   * Sends what is open and takes the replies in the order in which they come. A node that must be
   * connected to first may hang, so the others have a moment to reply before.
   */
  private void hop(List<Errand> errands, Deadline deadline, Runnable heard) {
    Map<Server, List<Errand>> byNode = byNode(errands);
    List<Trip> pending = new ArrayList<>(byNode.size());
    byNode.forEach(
        (node, some) -> {
          if (links.has(node)) {
            send(node, some, deadline, pending);
          }
        });
    if (pending.size() < byNode.size()) {
      receive(pending, deadline.orIn(BEFORE_CONNECTING), heard);
      byNode.forEach(
          (node, some) -> {
            if (!links.has(node) && some.stream().allMatch(Errand::isOpen)) {
              send(node, some, deadline, pending);
            }
          });
    }
    receive(pending, deadline, heard);
    // What has not replied by now has only this chance left: it is unknown otherwise.
    pending.forEach(this::receive);
    heard.run();
  }

  private Map<Server, List<Errand>> byNode(List<Errand> errands) {
    Map<Server, List<Errand>> byNode = new LinkedHashMap<>();
    for (Errand errand : errands) {
      if (errand.isOpen()) {
        try {
          byNode.computeIfAbsent(node(errand), node -> new ArrayList<>()).add(errand);
        } catch (EngineException e) {
          map.doubt();
          errand.fail(e);
        }
      }
    }
    return byNode;
  }

  private void send(Server node, List<Errand> errands, Deadline deadline, List<Trip> pending) {
    try {
      Trip trip = new Trip(links.to(node, deadline), replicas);
      errands.forEach(trip::add);
      trip.send();
      pending.add(trip);
    } catch (EngineException e) {
      map.doubt();
      errands.forEach(errand -> errand.fail(e));
    }
  }

  /** Takes replies until all are there or the time is up; what is missing stays in the list. */
  private void receive(List<Trip> pending, Deadline until, Runnable heard) {
    while (!pending.isEmpty() && !until.isOver()) {
      // With several nodes each is looked at for a moment in turn: none must hold up another.
      int millis = pending.size() == 1 ? until.orIn(map.hung().silence()).millisLeft() : 1;
      boolean any = pending.removeIf(trip -> receivedWithin(trip, millis));
      if (any) {
        heard.run();
      }
      // Others should not ask such a node before it replies, whatever becomes of this trip.
      pending.forEach(trip -> map.hung().addIfSilentSince(trip.link().address(), trip.sentAt()));
    }
  }

  private boolean receivedWithin(Trip trip, int millis) {
    boolean ready = trip.isReadyWithin(millis);
    if (ready) {
      receive(trip);
    }
    return ready;
  }

  private Server node(Errand errand) throws EngineException {
    int slot = Slots.of(errand.key());
    @Nullable Server told = errand.next();
    @Nullable Server node = told == null ? map.master(slot) : told;
    if (node == null) {
      throw new EngineException.NotDone("no node of the cluster has slot " + slot, null);
    }
    return node;
  }

  private void receive(Trip trip) {
    Link link = trip.link();
    trip.receive((errand, value, confirmed) -> take(link, errand, value, confirmed));
    if (!trip.isBroken()) {
      map.hung().remove(link.address());
    } else {
      links.remember(link.address(), trip.sentAt(), link.deadline());
    }
    if (trip.isBroken() || link.isTurnedAway()) {
      map.doubt();
      links.drop(link);
    }
  }

  private void take(Link link, Errand errand, Object value, int confirmed) {
    if (value instanceof JedisAskDataException ask) {
      errand.redirect(ClusterMap.target(ask, link.address()), true);
    } else if (value instanceof JedisRedirectionException moved) {
      errand.redirect(map.learn(moved, link.address()), false);
    } else {
      if (value instanceof JedisClusterException) {
        map.doubt();
      }
      errand.answer(value, confirmed, link.address().toString());
    }
  }

  @Override
  public void close() {
    sockets.close();
  }
}
