package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One connection to each node, made when it is needed. A node that could not be reached is left
 * alone for a moment, so that it does not hold up the others in every batch. For one thread.
 */
final class ClusterLinks {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private record Failure(EngineException why, long nanoTime) {}

  private final Dialer dialer;
  private final Sockets sockets;
  private final HungNodes hung;
  private final Duration patience;
  private final Map<Server, Link> links = new HashMap<>();
  private final Map<Server, Failure> failures = new HashMap<>();

  /**
   * The links of one lane.
   *
   * @param patience how long one node may take to be connected to
   */
  ClusterLinks(Dialer dialer, Sockets sockets, HungNodes hung, Duration patience) {
    this.hung = hung;
    this.patience = patience;
    this.dialer = dialer;
    this.sockets = sockets;
  }

  boolean has(Server node) {
    return links.containsKey(node);
  }

  Link to(Server node, Deadline deadline) throws EngineException {
    EngineException.NotDone hangs = hung.why(node);
    if (hangs != null) {
      throw hangs;
    }
    Link link = links.get(node);
    if (link == null) {
      Failure failure = failures.get(node);
      if (failure != null && System.nanoTime() - failure.nanoTime < PAUSE_NANOS) {
        throw failure.why;
      }
      link = made(node, deadline);
    }
    link.deadline(deadline);
    return link;
  }

  private Link made(Server node, Deadline deadline) throws EngineException {
    long start = System.nanoTime();
    Deadline by = deadline.orIn(patience);
    try {
      Link link = dialer.dial(node, sockets, by);
      failures.remove(node);
      links.put(node, link);
      return link;
    } catch (EngineException e) {
      failures.put(node, new Failure(e, System.nanoTime()));
      remember(node, start, by);
      throw e;
    }
  }

  /** If the node has kept us waiting for long, until the end or until somebody cut it short. */
  void remember(Server node, long start, Deadline by) {
    if (by.isUsedUp() || sockets.isClosed()) {
      hung.addIfSilentSince(node, start);
    }
  }

  void drop(Link link) {
    links.remove(link.address(), link);
    link.cut();
  }
}
