package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The master of each slot, learned from any node that replies. Thread-safe. */
final class ClusterMap {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<Server> seeds;
  private final ConnectionFactory factory;
  private final Duration patience;
  private final HungNodes hung;
  private final Slots slots = new Slots();
  private volatile @Nullable Server lastAnswered;
  private volatile long lastAsked;
  private volatile int turn;
  private volatile boolean doubtful;
  private volatile boolean known;

  /**
   * Creates an empty map.
   *
   * @param patience how long one node may take to reply
   */
  ClusterMap(List<Server> seeds, ConnectionFactory factory, Duration patience) {
    this.seeds = seeds;
    this.factory = factory;
    this.patience = patience;
    this.hung = new HungNodes(factory, patience.dividedBy(2));
  }

  /** Returns the nodes that hang. */
  HungNodes hung() {
    return hung;
  }

  Duration patience() {
    return patience;
  }

  /** Returns the master of a slot, or null if it is not known. */
  @Nullable Server master(int slot) {
    return slots.master(slot);
  }

  List<Server> masters() {
    return slots.masters();
  }

  /** Returns a node that may know more than the map does. */
  Server anyone() {
    return nodes().iterator().next();
  }

  /** The map was wrong somewhere: refresh it before its next use. */
  void doubt() {
    doubtful = true;
  }

  /** Learns from a redirection where a slot is now; returns its node. */
  Server learn(JedisRedirectionException where, Server asked) {
    Server owner = target(where, asked);
    slots.learn(where.getSlot(), owner);
    doubt();
    return owner;
  }

  static Server target(JedisRedirectionException where, Server asked) {
    String host = where.getTargetNode().getHost();
    return new Server(host.isEmpty() ? asked.host() : host, where.getTargetNode().getPort());
  }

  /**
   * Refreshes the map if it is in doubt, with a pause in between. Fails only if nothing is known at
   * all.
   */
  void freshen(OpenSockets sockets, Deadline deadline) throws EngineException {
    long now = System.nanoTime();
    if (known && (!doubtful || now - lastAsked < PAUSE_NANOS)) {
      return;
    }
    // The latest reply did not help: a node that is cut off from the others does not know it.
    turn = known && now - lastAsked < LATELY_NANOS ? turn + 1 : 0;
    lastAsked = now;
    doubtful = false;
    try {
      slots.learn(ask(sockets, deadline));
      known = true;
    } catch (EngineException e) {
      doubtful = true;
      if (!known) {
        throw e;
      }
    }
  }

  private List<Slots.SlotRange> ask(OpenSockets sockets, Deadline deadline) throws EngineException {
    StringJoiner said = new StringJoiner("; ");
    boolean permanent = true;
    List<Server> nodes = new ArrayList<>(nodes());
    Collections.rotate(nodes, -turn);
    if (!nodes.stream().allMatch(hung::contains)) {
      nodes.removeIf(hung::contains);
    }
    for (Server node : nodes) {
      Deadline by = deadline.orIn(patience);
      long start = System.nanoTime();
      try {
        List<Slots.SlotRange> ranges = ask(node, sockets, by);
        lastAnswered = node;
        return ranges;
      } catch (EngineException e) {
        if (by.isUsedUp()) {
          hung.addIfSilentSince(node, start);
        }
        permanent &= e instanceof EngineException.Refused;
        said.add(e.getMessage());
      }
    }
    String all = "no node of the cluster says who has which slot: " + said;
    throw permanent ? new EngineException.Refused(all) : new EngineException.NotDone(all, null);
  }

  /** Returns the nodes to ask: the one that replied last, the masters, and the configured ones. */
  private Set<Server> nodes() {
    Set<Server> nodes = new LinkedHashSet<>();
    Server last = lastAnswered;
    if (last != null) {
      nodes.add(last);
    }
    nodes.addAll(masters());
    nodes.addAll(seeds);
    return nodes;
  }

  private List<Slots.SlotRange> ask(Server node, OpenSockets sockets, Deadline deadline)
      throws EngineException {
    RedisConnection connection = factory.openUnchecked(node, sockets, deadline);
    try {
      Object answer = connection.ask(Command.CLUSTER, "SLOTS");
      if (answer instanceof JedisDataException error) {
        String said = String.valueOf(error.getMessage());
        if (said.contains("cluster support disabled")) {
          throw new EngineException.Refused(node + " is not part of a cluster: use redis://");
        }
        throw ServerErrors.ofLogin(said, node.toString());
      }
      List<Slots.SlotRange> ranges = Slots.SlotRange.parse(answer, node);
      if (ranges.isEmpty()) {
        throw new EngineException.NotDone(node + " knows of no slots", null);
      }
      return ranges;
    } catch (JedisException | IllegalArgumentException e) {
      throw new EngineException.NotDone(node + " lost the connection: " + e.getMessage(), e);
    } finally {
      connection.cut();
    }
  }
}
