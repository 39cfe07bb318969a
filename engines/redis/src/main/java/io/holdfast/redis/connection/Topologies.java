package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Server;
import java.time.Duration;

/** Opens the topology that options describe; the servers need not be up. */
public final class Topologies {

  private Topologies() {}

  /**
   * Opens a single server, a master behind sentinels, or a cluster.
   *
   * @param operationTimeout how long a batch may take, connecting included
   */
  public static ServerTopology open(
      RedisOptions options, Duration operationTimeout, ServerCheck check) {
    Replicas replicas = new Replicas(options.minReplicas(), options.replicaTimeout());
    ConnectionFactory factory =
        ConnectionFactory.of(options, options.login(), options.database(), check);
    Duration timeout = withMargin(operationTimeout);
    // Leaves time to find at least two sentinels or nodes dead.
    Duration patience = shorter(options.connectTimeout(), timeout.dividedBy(3));
    return switch (options.topology()) {
      case SINGLE ->
          single(options.address(), options.servers().get(0), factory, replicas, timeout);
      case SENTINEL ->
          new MasterTopology(
              options.address(), finder(options, patience), factory, replicas, timeout);
      case CLUSTER ->
          new ClusterTopology(
              options.address(),
              new ClusterMap(options.servers(), factory, patience),
              factory,
              replicas,
              timeout);
      case REDLOCK ->
          throw new IllegalArgumentException("redlock is not one store: open its servers together");
    };
  }

  private static ServerTopology single(
      String address,
      Server server,
      ConnectionFactory factory,
      Replicas replicas,
      Duration timeout) {
    return new MasterTopology(address, (sockets, deadline) -> server, factory, replicas, timeout);
  }

  /** The runtime cuts a batch at the operation timeout: replies must be passed on before. */
  private static Duration withMargin(Duration operationTimeout) {
    return operationTimeout.multipliedBy(9).dividedBy(10);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static MasterFinder finder(RedisOptions options, Duration patience) {
    ConnectionFactory factory =
        ConnectionFactory.of(options, options.sentinelLogin(), 0, new ServerCheck(false));
    return new SentinelFinder(options.servers(), options.masterName(), factory, patience);
  }
}
