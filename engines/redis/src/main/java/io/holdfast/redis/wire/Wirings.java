package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Topology;
import java.time.Duration;
import java.util.List;

/** Opens the wiring that options describe. No server need be up. */
public final class Wirings {

  private Wirings() {}

  /**
   * The wiring to a store that is one: a server, sentinels or a cluster.
   *
   * @param operationTimeout how long a batch may take, connecting included
   */
  public static Wiring open(RedisOptions options, Duration operationTimeout, StartCheck check) {
    Replicas replicas = new Replicas(options.minReplicas(), options.replicaTimeout());
    Dialer dialer = dialer(options, options.login(), options.database(), check);
    Duration timeout = withMargin(operationTimeout);
    // Time for at least two of those who know the way to be found dead.
    Duration patience = shorter(options.connectTimeout(), timeout.dividedBy(3));
    return switch (options.topology()) {
      case SINGLE -> single(options.address(), options.servers().get(0), dialer, replicas, timeout);
      case SENTINEL ->
          new NodeWiring(options.address(), finder(options, patience), dialer, replicas, timeout);
      case CLUSTER ->
          new ClusterWiring(
              options.address(),
              new ClusterMap(options.servers(), dialer, patience),
              dialer,
              replicas,
              timeout);
      case REDLOCK ->
          throw new IllegalArgumentException("redlock is not one store: open its servers together");
    };
  }

  /**
   * Independent servers that are asked together.
   *
   * @param scripts what they will be asked to run
   * @param delay how long a server must have run before its word counts for new grants
   */
  public static Members openTogether(
      RedisOptions options, List<Script> scripts, Duration delay, StartCheck check) {
    Dialer dialer = dialer(options, options.login(), options.database(), check);
    return new Members(
        options.servers(),
        dialer,
        scripts,
        new Members.Times(options.connectTimeout(), options.nodeTimeout(), delay));
  }

  private static Wiring single(
      String address, Server server, Dialer dialer, Replicas replicas, Duration timeout) {
    return new NodeWiring(address, (sockets, deadline) -> server, dialer, replicas, timeout);
  }

  /**
   * Whoever waits for a batch cuts it at the operation timeout: what has come must be out before.
   */
  private static Duration withMargin(Duration operationTimeout) {
    return operationTimeout.multipliedBy(9).dividedBy(10);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static MasterFinder finder(RedisOptions options, Duration patience) {
    Dialer dialer = dialer(options, options.sentinelLogin(), 0, new StartCheck(false));
    return new SentinelFinder(options.servers(), options.masterName(), dialer, patience);
  }

  private static Dialer dialer(RedisOptions options, Login login, int database, StartCheck check) {
    return new Dialer(
        new LoginConfig(login, database),
        options.tls(),
        options.connectTimeout(),
        check,
        options.topology() == Topology.CLUSTER);
  }
}
