package io.holdfast.rig.servers;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import java.time.Duration;
import java.util.List;

/**
 * Drops replication while master and replicas believe that the link works.
 *
 * <p>The replicas are led to the master through a proxy, which takes a partial resync of some
 * milliseconds, and the proxy then swallows what the master sends. Sentinels would correct a
 * replica that follows another address than the master's after their failover timeout, so that
 * timeout is made long for the time of the cut.
 */
final class ReplicationCut implements AutoCloseable {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final FaultProxy proxy;
  private final List<RedisServer> sentinels;

  private ReplicationCut(FaultProxy proxy, List<RedisServer> sentinels) {
    this.proxy = proxy;
    this.sentinels = List.copyOf(sentinels);
  }

  /** In force when it returns; all that was written before has reached the replicas. */
  static ReplicationCut between(
      RedisServer master, List<RedisServer> replicas, List<RedisServer> sentinels) {
    sentinels.forEach(sentinel -> Sentinel.setFailoverTimeout(sentinel, LONG));
    FaultProxy proxy = FaultProxy.to(master.process());
    ReplicationCut cut = new ReplicationCut(proxy, sentinels);
    try {
      for (RedisServer replica : replicas) {
        replica.call("REPLICAOF", "127.0.0.1", Integer.toString(proxy.port()));
        replica.awaitInSync(master);
      }
      proxy.passOnly(Direction.REQUESTS);
      return cut;
    } catch (RuntimeException | AssertionError e) {
      cut.close();
      throw e;
    }
  }

  /** Ends the connections; where the replicas connect to next is up to the caller. */
  @Override
  public void close() {
    proxy.close();
    sentinels.stream()
        .filter(sentinel -> sentinel.process().isUp())
        .forEach(s -> Sentinel.setFailoverTimeout(s, Sentinel.FAILOVER_TIMEOUT));
  }
}
