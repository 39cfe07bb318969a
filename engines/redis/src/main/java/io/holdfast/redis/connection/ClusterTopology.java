package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Redis Cluster: connections to its nodes and their subscriptions. */
final class ClusterTopology implements ServerTopology {

  private final String address;
  private final ClusterMap map;
  private final ConnectionFactory factory;
  private final Replicas replicas;
  private final Duration timeout;

  ClusterTopology(
      String address,
      ClusterMap map,
      ConnectionFactory factory,
      Replicas replicas,
      Duration timeout) {
    this.address = address;
    this.map = map;
    this.factory = factory;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  @Override
  public LaneConnection connect() throws EngineException {
    return new ClusterLaneConnection(map, factory, replicas, timeout).open();
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return new ClusterSubscription(
        map, factory, timeout, listener, SubscriberSettings.Style.SHARDED, SubscriberSettings.POLL);
  }

  @Override
  public Optional<Subscription> watch(Script look, SignalListener listener) {
    return Optional.of(
        new ClusterSubscription(
            map,
            factory,
            timeout,
            listener,
            SubscriberSettings.Style.watching(look),
            SubscriberSettings.NEXT_RENEWAL));
  }

  @Override
  public Subscription subscribeToAny(SignalListener listener) {
    return SubscriberThread.start(
        address,
        new SubscriberSettings(
            SubscriberSettings.Style.PLAIN, this::any, timeout, listener, SubscriberSettings.POLL));
  }

  /** Opens a connection to the first master that accepts one: a message reaches all servers. */
  private RedisConnection any(OpenSockets sockets) throws EngineException {
    Deadline deadline = Deadline.in(timeout);
    map.freshen(sockets, deadline);
    EngineException.@Nullable NotDone why = null;
    List<Server> masters = new ArrayList<>(map.masters());
    Collections.shuffle(masters);
    masters.sort(Comparator.comparing(map.hung()::contains));
    for (Server master : masters) {
      try {
        return factory.openUnchecked(master, sockets, deadline.orIn(timeout.dividedBy(3)));
      } catch (EngineException.NotDone e) {
        why = e;
      }
    }
    throw why == null
        ? new EngineException.NotDone("no node of the cluster has a slot: " + address, null)
        : why;
  }

  @Override
  public List<LaneConnection> masters() throws EngineException {
    map.doubt();
    try (OpenSockets sockets = new OpenSockets()) {
      map.freshen(sockets, Deadline.in(timeout));
    }
    List<LaneConnection> wires = new ArrayList<>();
    boolean done = false;
    try {
      for (Server master : map.masters()) {
        MasterLaneConnection connection =
            new MasterLaneConnection((sockets, by) -> master, factory, replicas, timeout);
        wires.add(connection);
        connection.open();
      }
      done = true;
      return wires;
    } finally {
      if (!done) {
        wires.forEach(LaneConnection::close);
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
