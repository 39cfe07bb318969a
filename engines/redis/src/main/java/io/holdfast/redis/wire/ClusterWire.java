package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The wire to a cluster. A batch goes to all its nodes before any answer is read, and follows slots
 * that have moved. A node that fails costs its own calls alone.
 */
final class ClusterWire implements Wire {

  private static final int MOST_HOPS = 6;

  private final ClusterMap map;
  private final Replicas replicas;
  private final Duration timeout;
  private final Sockets sockets = new Sockets();
  private final ClusterLinks links;

  ClusterWire(ClusterMap map, Dialer dialer, Replicas replicas, Duration timeout) {
    this.map = map;
    this.replicas = replicas;
    this.timeout = timeout;
    this.links = new ClusterLinks(dialer, sockets);
  }

  /** Learns who has what, if nobody has yet. */
  ClusterWire open() throws EngineException {
    map.freshen(sockets, Deadline.in(timeout));
    return this;
  }

  @Override
  public List<Reply> run(List<Call> calls) {
    List<Errand> errands = Errand.of(calls);
    run(errands, Deadline.in(timeout));
    return Errand.replies(errands);
  }

  @Override
  public Reply command(byte[]... parts) {
    List<Errand> errands = List.of(Errand.of(parts));
    run(errands, Deadline.in(timeout));
    return Errand.replies(errands).get(0);
  }

  private void run(List<Errand> errands, Deadline deadline) {
    try {
      if (sockets.isClosed()) {
        throw new EngineException.NotDone("the connection was closed", null);
      }
      map.freshen(sockets, deadline);
    } catch (EngineException e) {
      errands.forEach(errand -> errand.fail(e));
      return;
    }
    for (int hop = 0; hop < MOST_HOPS; hop++) {
      Map<Server, Trip> trips = trips(errands, deadline);
      if (trips.isEmpty()) {
        break;
      }
      trips.values().forEach(Trip::send);
      trips.values().forEach(this::receive);
    }
    for (Errand errand : errands) {
      if (errand.isOpen()) {
        errand.fail(new EngineException.NotDone("sent on by one node to the next", null));
      }
    }
  }

  /** Where all that is still open goes now. */
  private Map<Server, Trip> trips(List<Errand> errands, Deadline deadline) {
    Map<Server, Trip> trips = new LinkedHashMap<>();
    for (Errand errand : errands) {
      if (!errand.isOpen()) {
        continue;
      }
      try {
        Server node = node(errand);
        Trip trip = trips.get(node);
        if (trip == null) {
          trip = new Trip(links.to(node, deadline), replicas);
          trips.put(node, trip);
        }
        trip.add(errand);
      } catch (EngineException e) {
        map.doubt();
        errand.fail(e);
      }
    }
    return trips;
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
