package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The connection of a lane to the one master; follows it to the next master. */
final class MasterLaneConnection implements LaneConnection {

  private final MasterFinder finder;
  private final ConnectionFactory factory;
  private final Replicas replicas;
  private final Duration timeout;
  private final OpenSockets sockets = new OpenSockets();
  private @Nullable RedisConnection connection;

  MasterLaneConnection(
      MasterFinder finder, ConnectionFactory factory, Replicas replicas, Duration timeout) {
    this.finder = finder;
    this.factory = factory;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  /** Connects now, so that problems are reported before anything is sent; or closes. */
  MasterLaneConnection open() throws EngineException {
    try {
      connected(Deadline.in(timeout));
      return this;
    } catch (EngineException e) {
      close();
      throw e;
    }
  }

  @Override
  public List<ScriptReply> run(List<ScriptCall> calls) {
    List<PendingCall> pendingCalls = PendingCall.of(calls);
    run(pendingCalls, Deadline.in(timeout));
    return PendingCall.replies(pendingCalls);
  }

  @Override
  public ScriptReply command(byte[]... parts) {
    List<PendingCall> pendingCalls = List.of(PendingCall.of(parts));
    run(pendingCalls, Deadline.in(timeout));
    return PendingCall.replies(pendingCalls).get(0);
  }

  private void run(List<PendingCall> pendingCalls, Deadline deadline) {
    RedisConnection open;
    try {
      open = connected(deadline);
    } catch (EngineException e) {
      pendingCalls.forEach(pendingCall -> pendingCall.fail(e));
      return;
    }
    open.deadline(deadline);
    String objection = finder.objection(open.address());
    if (objection != null) {
      EngineException why = new EngineException.NotDone(objection, null);
      pendingCalls.stream()
          .filter(PendingCall::grants)
          .forEach(pendingCall -> pendingCall.fail(why));
    }
    RedisConnection present = open;
    boolean whole = PendingCall.run(pendingCalls, left -> Trip.run(present, replicas, left));
    doubtGrants(open, pendingCalls);
    if (!whole || open.isTurnedAway()) {
      connection = null;
      open.cut();
    }
  }

  /** The new master may not know what was granted while it took over. */
  private void doubtGrants(RedisConnection open, List<PendingCall> pendingCalls) {
    String objection = finder.objection(open.address());
    if (objection != null) {
      EngineException why = new EngineException.Unknown(objection, null);
      pendingCalls.stream()
          .filter(PendingCall::isGranted)
          .forEach(pendingCall -> pendingCall.fail(why));
    }
  }

  private RedisConnection connected(Deadline deadline) throws EngineException {
    if (sockets.isClosed()) {
      throw new EngineException.NotDone("the connection was closed", null);
    }
    RedisConnection open = connection;
    if (open != null && finder.isReplaced(open.address())) {
      connection = null;
      open.cut();
      open = null;
    }
    if (open == null) {
      open = factory.open(finder.find(sockets, deadline), sockets, deadline);
      connection = open;
    }
    return open;
  }

  @Override
  public void close() {
    sockets.close();
  }
}
