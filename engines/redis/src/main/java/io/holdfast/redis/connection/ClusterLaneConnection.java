package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The connection of a lane to a cluster.
 *
 * <p>A batch is sent to all its nodes before any reply is read, and follows slots that have moved.
 * A node that fails or hangs costs only its own calls.
 */
final class ClusterLaneConnection implements LaneConnection {

  private static final int MOST_HOPS = 6;
  private static final Duration BEFORE_CONNECTING = Duration.ofMillis(50);

  private final ClusterMap map;
  private final Replicas replicas;
  private final Duration timeout;

  private final OpenSockets sockets = new OpenSockets();
  private final NodeConnections connections;

  ClusterLaneConnection(
      ClusterMap map, ConnectionFactory factory, Replicas replicas, Duration timeout) {
    this.map = map;
    this.replicas = replicas;
    this.timeout = timeout;
    this.connections = new NodeConnections(factory, sockets, map.hung(), map.patience());
  }

  /** Learns which node has which slot, if that is not known yet; or closes. */
  ClusterLaneConnection open() throws EngineException {
    try {
      map.freshen(sockets, Deadline.in(timeout));
      return this;
    } catch (EngineException e) {
      close();
      throw e;
    }
  }

  @Override
  public List<ScriptReply> run(List<ScriptCall> calls) {
    List<PendingCall> pendingCalls = PendingCall.of(calls);
    run(pendingCalls, () -> {});
    return PendingCall.replies(pendingCalls);
  }

  @Override
  public void run(List<ScriptCall> calls, Replies to) {
    List<PendingCall> pendingCalls = PendingCall.of(calls);
    BitSet passedOn = new BitSet(pendingCalls.size());
    run(
        pendingCalls,
        () -> {
          for (int i = passedOn.nextClearBit(0);
              i < pendingCalls.size();
              i = passedOn.nextClearBit(i + 1)) {
            if (!pendingCalls.get(i).isOpen()) {
              passedOn.set(i);
              to.reply(i, pendingCalls.get(i).reply());
            }
          }
        });
  }

  @Override
  public ScriptReply command(byte[]... parts) {
    List<PendingCall> pendingCalls = List.of(PendingCall.of(parts));
    run(pendingCalls, () -> {});
    return PendingCall.replies(pendingCalls).get(0);
  }

  /**
   * Runs calls until all have their reply.
   *
   * @param heard called whenever some calls got their reply
   */
  private void run(List<PendingCall> pendingCalls, Runnable heard) {
    Deadline deadline = Deadline.in(timeout);
    try {
      if (sockets.isClosed()) {
        throw new EngineException.NotDone("the connection was closed", null);
      }
      map.freshen(sockets, deadline);
      boolean unused =
          PendingCall.run(
              pendingCalls,
              MOST_HOPS,
              open -> {
                hop(open, deadline, heard);
                return true;
              });
      for (PendingCall pendingCall : pendingCalls) {
        if (pendingCall.isOpen()) {
          pendingCall.fail(new EngineException.NotDone("sent on by one node to the next", null));
        }
      }
    } catch (EngineException e) {
      pendingCalls.stream().filter(PendingCall::isOpen).forEach(pendingCall -> pendingCall.fail(e));
    }
    heard.run();
  }

  /**
   * Sends open calls and takes the replies in the order of their arrival. A node that must be
   * connected first may hang, so the other nodes have a moment to reply before.
   */
  private void hop(List<PendingCall> pendingCalls, Deadline deadline, Runnable heard) {
    Map<Server, List<PendingCall>> byNode = byNode(pendingCalls);
    List<Trip> pending = new ArrayList<>(byNode.size());
    byNode.forEach(
        (node, some) -> {
          if (connections.has(node)) {
            send(node, some, deadline, pending);
          }
        });
    if (pending.size() < byNode.size()) {
      receive(pending, deadline.orIn(BEFORE_CONNECTING), heard);
      byNode.forEach(
          (node, some) -> {
            if (!connections.has(node) && some.stream().allMatch(PendingCall::isOpen)) {
              send(node, some, deadline, pending);
            }
          });
    }
    receive(pending, deadline, heard);
    // The last chance of nodes that have not replied; their calls are unknown otherwise.
    pending.forEach(this::receive);
    heard.run();
  }

  private Map<Server, List<PendingCall>> byNode(List<PendingCall> pendingCalls) {
    Map<Server, List<PendingCall>> byNode = new LinkedHashMap<>();
    for (PendingCall pendingCall : pendingCalls) {
      if (pendingCall.isOpen()) {
        try {
          byNode.computeIfAbsent(node(pendingCall), node -> new ArrayList<>()).add(pendingCall);
        } catch (EngineException e) {
          map.doubt();
          pendingCall.fail(e);
        }
      }
    }
    return byNode;
  }

  private void send(
      Server node, List<PendingCall> pendingCalls, Deadline deadline, List<Trip> pending) {
    try {
      Trip trip = new Trip(connections.to(node, deadline), replicas);
      pendingCalls.forEach(trip::add);
      trip.send();
      pending.add(trip);
    } catch (EngineException e) {
      map.doubt();
      pendingCalls.forEach(pendingCall -> pendingCall.fail(e));
    }
  }

  /** Takes replies until all have arrived or the time is up; missing ones stay in the list. */
  private void receive(List<Trip> pending, Deadline until, Runnable heard) {
    while (!pending.isEmpty() && !until.isOver()) {
      // Several nodes are polled in turn for a moment each: none must delay another.
      int millis = pending.size() == 1 ? until.orIn(map.hung().silence()).millisLeft() : 1;
      boolean any = pending.removeIf(trip -> receivedWithin(trip, millis));
      if (any) {
        heard.run();
      }
      // No lane should ask such a node before it replies, whatever becomes of this trip.
      pending.forEach(
          trip -> map.hung().addIfSilentSince(trip.connection().address(), trip.sentAt()));
    }
  }

  private boolean receivedWithin(Trip trip, int millis) {
    boolean ready = trip.awaitReplies(millis);
    if (ready) {
      receive(trip);
    }
    return ready;
  }

  private Server node(PendingCall pendingCall) throws EngineException {
    int slot = Slots.of(pendingCall.key());
    @Nullable Server told = pendingCall.next();
    @Nullable Server node = told == null ? map.master(slot) : told;
    if (node == null) {
      throw new EngineException.NotDone("no node of the cluster has slot " + slot, null);
    }
    return node;
  }

  private void receive(Trip trip) {
    RedisConnection connection = trip.connection();
    trip.receive(
        (pendingCall, value, confirmed) -> take(connection, pendingCall, value, confirmed));
    if (!trip.isBroken()) {
      map.hung().remove(connection.address());
    } else {
      connections.remember(connection.address(), trip.sentAt(), connection.deadline());
    }
    if (trip.isBroken() || connection.isTurnedAway()) {
      map.doubt();
      connections.drop(connection);
    }
  }

  private void take(
      RedisConnection connection, PendingCall pendingCall, Object value, int confirmed) {
    if (value instanceof JedisAskDataException ask) {
      pendingCall.redirect(ClusterMap.target(ask, connection.address()), true);
    } else if (value instanceof JedisRedirectionException moved) {
      pendingCall.redirect(map.learn(moved, connection.address()), false);
    } else {
      if (value instanceof JedisClusterException) {
        map.doubt();
      }
      pendingCall.answer(value, confirmed, connection.address().toString());
    }
  }

  @Override
  public void close() {
    sockets.close();
  }

  /**
   * One connection to each node, opened when needed. Not thread-safe.
   *
   * <p>A node that could not be reached is left alone for a moment, so that it does not delay the
   * other nodes in every batch.
   */
  private static final class NodeConnections {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private record Failure(EngineException why, long nanoTime) {}

    private final ConnectionFactory factory;
    private final OpenSockets sockets;
    private final HungNodes hung;
    private final Duration patience;
    private final Map<Server, RedisConnection> connections = new HashMap<>();
    private final Map<Server, Failure> failures = new HashMap<>();

    /**
     * Creates the connections of one lane.
     *
     * @param patience how long one node may take to be connected to
     */
    NodeConnections(
        ConnectionFactory factory, OpenSockets sockets, HungNodes hung, Duration patience) {
      this.hung = hung;
      this.patience = patience;
      this.factory = factory;
      this.sockets = sockets;
    }

    boolean has(Server node) {
      return connections.containsKey(node);
    }

    RedisConnection to(Server node, Deadline deadline) throws EngineException {
      EngineException.NotDone hangs = hung.why(node);
      if (hangs != null) {
        throw hangs;
      }
      RedisConnection connection = connections.get(node);
      if (connection == null) {
        Failure failure = failures.get(node);
        if (failure != null && System.nanoTime() - failure.nanoTime < PAUSE_NANOS) {
          throw failure.why;
        }
        connection = made(node, deadline);
      }
      connection.deadline(deadline);
      return connection;
    }

    private RedisConnection made(Server node, Deadline deadline) throws EngineException {
      long start = System.nanoTime();
      Deadline by = deadline.orIn(patience);
      try {
        RedisConnection connection = factory.open(node, sockets, by);
        failures.remove(node);
        connections.put(node, connection);
        return connection;
      } catch (EngineException e) {
        failures.put(node, new Failure(e, System.nanoTime()));
        remember(node, start, by);
        throw e;
      }
    }

    /**
     * Notes the node as hung if it kept us waiting until the deadline or until the lane was closed.
     */
    void remember(Server node, long start, Deadline by) {
      if (by.isUsedUp() || sockets.isClosed()) {
        hung.addIfSilentSince(node, start);
      }
    }

    void drop(RedisConnection connection) {
      connections.remove(connection.address(), connection);
      connection.cut();
    }
  }
}
