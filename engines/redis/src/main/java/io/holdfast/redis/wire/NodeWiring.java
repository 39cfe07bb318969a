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
    MasterSignals signals = new MasterSignals(finder, listener);
    SubscriberThread thread =
        SubscriberThread.start(
            address,
            new Listening(
                Listening.Style.PLAIN,
                sockets -> signals.from(open(sockets)),
                timeout,
                signals,
                Listening.POLL));
    finder.onReplaced(thread::reconnect);
    return thread;
  }

  private Link open(Sockets sockets) throws EngineException {
    Deadline deadline = Deadline.in(timeout);
    return dialer.plain(finder.find(sockets, deadline), sockets, deadline);
  }

  @Override
  public void onMasterReplaced(Runnable listener) {
    finder.onReplaced(listener);
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
  public void close() {
    finder.close();
  }
}
