package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Redis Cluster. */
final class ClusterWiring implements Wiring {

  private final String address;
  private final ClusterMap map;
  private final Dialer dialer;
  private final Replicas replicas;
  private final Duration timeout;

  ClusterWiring(
      String address, ClusterMap map, Dialer dialer, Replicas replicas, Duration timeout) {
    this.address = address;
    this.map = map;
    this.dialer = dialer;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  @Override
  public Wire connect() throws EngineException {
    ClusterWire wire = new ClusterWire(map, dialer, replicas, timeout);
    try {
      return wire.open();
    } catch (EngineException e) {
      wire.close();
      throw e;
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return new ClusterSubscription(map, dialer, timeout, listener);
  }

  @Override
  public Subscription subscribeToAny(SignalListener listener) {
    return SubscriberThread.start(
        address,
        new Listening(Listening.Style.PLAIN, this::any, timeout, listener, Listening.POLL));
  }

  /** A connection to the first master that takes one: a message reaches all servers. */
  private Link any(Sockets sockets) throws EngineException {
    Deadline deadline = Deadline.in(timeout);
    map.freshen(sockets, deadline);
    EngineException.@Nullable NotDone why = null;
    List<Server> masters = new ArrayList<>(map.masters());
    Collections.shuffle(masters);
    masters.sort(Comparator.comparing(map.hung()::contains));
    for (Server master : masters) {
      try {
        return dialer.plain(master, sockets, deadline.orIn(timeout.dividedBy(3)));
      } catch (EngineException.NotDone e) {
        why = e;
      }
    }
    throw why == null
        ? new EngineException.NotDone("no node of the cluster has a slot: " + address, null)
        : why;
  }

  @Override
  public List<Wire> masters() throws EngineException {
    map.doubt();
    try (Sockets sockets = new Sockets()) {
      map.freshen(sockets, Deadline.in(timeout));
    }
    List<Wire> wires = new ArrayList<>();
    boolean done = false;
    try {
      for (Server master : map.masters()) {
        NodeWire wire = new NodeWire((sockets, by) -> master, dialer, replicas, timeout);
        wires.add(wire);
        wire.open();
      }
      done = true;
      return wires;
    } finally {
      if (!done) {
        wires.forEach(Wire::close);
      }
    }
  }

  @Override
  public boolean isCluster() {
    return true;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void close() {
    map.hung().close();
  }
}
