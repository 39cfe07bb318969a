package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wire to a store with one master at a time; drops a former master and finds the next one. */
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
    String objection = finder.objection(open.address());
    if (objection != null) {
      EngineException why = new EngineException.NotDone(objection, null);
      errands.stream().filter(Errand::grants).forEach(errand -> errand.fail(why));
    }
    boolean whole = true;
    for (int i = 0; i < IN_FULL_AS_WELL && whole; i++) {
      whole = trip(open, errands);
    }
    doubtGrants(open, errands);
    if (!whole || open.isTurnedAway()) {
      link = null;
      open.cut();
    }
  }

  /** What was granted while another server took over may not be known there. */
  private void doubtGrants(Link open, List<Errand> errands) {
    String objection = finder.objection(open.address());
    if (objection != null) {
      EngineException why = new EngineException.Unknown(objection, null);
      errands.stream().filter(Errand::isGranted).forEach(errand -> errand.fail(why));
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
    if (open != null && finder.isReplaced(open.address())) {
      link = null;
      open.cut();
      open = null;
    }
    if (open == null) {
      open = dialer.dial(finder.find(sockets, deadline), sockets, deadline);
      link = open;
    }
    return open;
  }

  @Override
  public void close() {
    sockets.close();
  }
}
