package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;

/** A store with one master at a time: a single server, or whichever Sentinel names. */
final class NodeWiring implements Wiring {

  private final String address;
  private final MasterFinder finder;
  private final Dialer dialer;
  private final Replicas replicas;
  private final Duration timeout;

  NodeWiring(
      String address, MasterFinder finder, Dialer dialer, Replicas replicas, Duration timeout) {
    this.address = address;
    this.finder = finder;
    this.dialer = dialer;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  @Override
  public Wire connect() throws EngineException {
    NodeWire wire = new NodeWire(finder, dialer, replicas, timeout);
    try {
      return wire.open();
    } catch (EngineException e) {
      wire.close();
      throw e;
    }
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return SubscriberThread.start(
        address, new Listening(Listening.Style.PLAIN, this::open, timeout, listener));
  }

  private Link open(Sockets sockets) throws EngineException {
    Deadline deadline = Deadline.in(timeout);
    try {
      return dialer.plain(finder.find(sockets, deadline), sockets, deadline);
    } catch (EngineException e) {
      finder.doubt();
      throw e;
    }
  }

  @Override
  public List<Wire> masters() throws EngineException {
    return List.of(connect());
  }

  @Override
  public boolean isCluster() {
    return false;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void close() {}
}
