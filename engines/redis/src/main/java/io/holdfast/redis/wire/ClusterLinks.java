package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
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
  private final Map<Server, Link> links = new HashMap<>();
  private final Map<Server, Failure> failures = new HashMap<>();

  ClusterLinks(Dialer dialer, Sockets sockets) {
    this.dialer = dialer;
    this.sockets = sockets;
  }

  Link to(Server node, Deadline deadline) throws EngineException {
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
    try {
      Link link = dialer.dial(node, sockets, deadline);
      failures.remove(node);
      links.put(node, link);
      return link;
    } catch (EngineException e) {
      failures.put(node, new Failure(e, System.nanoTime()));
      throw e;
    }
  }

  void drop(Link link) {
    links.remove(link.address(), link);
    link.cut();
  }
}
