package io.holdfast.redis.wire;

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

/**
 * Who has which slot, and how that is found out: from any node that answers. Any thread may ask.
 */
final class ClusterMap {

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<Server> seeds;
  private final Dialer dialer;
  private final Duration patience;
  private final HungNodes hung;
  private final Slots slots = new Slots();
  private volatile @Nullable Server lastAnswered;
  private volatile long lastAsked;
  private volatile int turn;
  private volatile boolean doubtful;
  private volatile boolean known;

  /**
   * A map that knows nothing yet.
   *
   * @param patience how long one node may take to answer
   */
  ClusterMap(List<Server> seeds, Dialer dialer, Duration patience) {
    this.seeds = seeds;
    this.dialer = dialer;
    this.patience = patience;
    this.hung = new HungNodes(dialer, patience.dividedBy(2));
  }

  /** The nodes that hang. */
  HungNodes hung() {
    return hung;
  }

  Duration patience() {
    return patience;
  }

  /** Null: nobody that we know of. */
  @Nullable Server master(int slot) {
    return slots.master(slot);
  }

  List<Server> masters() {
    return slots.masters();
  }

  /** A node that may know more, when the map does not. */
  Server anyone() {
    return nodes().iterator().next();
  }

  /** Something was not where the map says: look again before it is used next. */
  void doubt() {
    doubtful = true;
  }

  /** Takes the word of a server for where a slot is now; answers where. */
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
   * Looks again if there is a doubt, but not all the time. Fails only when nothing is known at all.
   */
  void freshen(Sockets sockets, Deadline deadline) throws EngineException {
    long now = System.nanoTime();
    if (known && (!doubtful || now - lastAsked < PAUSE_NANOS)) {
      return;
    }
    // What was told lately did not help: a node that is cut off from the others does not know it.
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

  private List<SlotRange> ask(Sockets sockets, Deadline deadline) throws EngineException {
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
        List<SlotRange> ranges = ask(node, sockets, by);
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

  /** Whom to ask: the one that answered last, the masters, and those that we began with. */
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

  private List<SlotRange> ask(Server node, Sockets sockets, Deadline deadline)
      throws EngineException {
    Link link = dialer.plain(node, sockets, deadline);
    try {
      Object answer = link.ask(Command.CLUSTER, "SLOTS");
      if (answer instanceof JedisDataException error) {
        String said = String.valueOf(error.getMessage());
        if (said.contains("cluster support disabled")) {
          throw new EngineException.Refused(node + " is not part of a cluster: use redis://");
        }
        throw ServerErrors.ofLogin(said, node.toString());
      }
      List<SlotRange> ranges = SlotRange.parse(answer, node);
      if (ranges.isEmpty()) {
        throw new EngineException.NotDone(node + " knows of no slots", null);
      }
      return ranges;
    } catch (JedisException | IllegalArgumentException e) {
      throw new EngineException.NotDone(node + " broke off: " + e.getMessage(), e);
    } finally {
      link.cut();
    }
  }
}
