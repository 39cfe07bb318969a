package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wire to a store with one master at a time; finds it anew when it is not the master now. */
final class NodeWire implements Wire {

  private static final int IN_FULL_AS_WELL = 2;

  private final MasterFinder finder;
  private final Dialer dialer;
  private final Replicas replicas;
  private final Duration timeout;
  private final Sockets sockets = new Sockets();
  private @Nullable Link link;

  NodeWire(MasterFinder finder, Dialer dialer, Replicas replicas, Duration timeout) {
    this.finder = finder;
    this.dialer = dialer;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  /** Connects now, so that the caller hears of trouble before it sends anything. */
  NodeWire open() throws EngineException {
    connected(Deadline.in(timeout));
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
    Link open;
    try {
      open = connected(deadline);
    } catch (EngineException e) {
      errands.forEach(errand -> errand.fail(e));
      return;
    }
    open.deadline(deadline);
    boolean whole = true;
    for (int i = 0; i < IN_FULL_AS_WELL && whole; i++) {
      whole = trip(open, errands);
    }
    if (!whole || open.isTurnedAway()) {
      link = null;
      open.cut();
    }
  }

  /** Answers whether the connection held. */
  private boolean trip(Link open, List<Errand> errands) {
    List<Errand> left = errands.stream().filter(Errand::isOpen).toList();
    if (left.isEmpty()) {
      return true;
    }
    Trip trip = new Trip(open, replicas);
    left.forEach(trip::add);
    trip.send();
    String from = open.address().toString();
    trip.receive((errand, value, confirmed) -> errand.answer(value, confirmed, from));
    return !trip.isBroken();
  }

  private Link connected(Deadline deadline) throws EngineException {
    if (sockets.isClosed()) {
      throw new EngineException.NotDone("the connection was closed", null);
    }
    Link open = link;
    if (open == null) {
      boolean done = false;
      try {
        open = dialer.dial(finder.find(sockets, deadline), sockets, deadline);
        link = open;
        done = true;
      } finally {
        if (!done) {
          finder.doubt();
        }
      }
    }
    return open;
  }

  @Override
  public void close() {
    sockets.close();
  }
}
