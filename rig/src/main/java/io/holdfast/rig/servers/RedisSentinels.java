package io.holdfast.rig.servers;

import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Redis master with replicas, watched by three Sentinels. They promote a replica when two of them
 * take the master for down.
 *
 * <p>Servers keep nothing over a restart. For one thread.
 */
public final class RedisSentinels implements AutoCloseable {
  private static final int SENTINELS = 3;
  private static final int QUORUM = 2;
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();
  private @Nullable ReplicationCut cut;

  private RedisSentinels() {}

  /** A master and one replica. */
  public static RedisSentinels start() {
    return start(1);
  }

  /** A master and so many replicas. */
  public static RedisSentinels start(int replicas) {
    return start(replicas, RedisServerOptions.PLAIN);
  }

  /**
   * Starts all of it; returns when the replicas are in sync and the sentinels know them and each
   * other: from then on a failover works.
   *
   * @param options of the master and the replicas; the sentinels get its password too
   */
  public static RedisSentinels start(int replicas, RedisServerOptions options) {
    RedisSentinels all = new RedisSentinels();
    try {
      RedisServer master = RedisServer.start(options);
      all.servers.add(master);
      for (int i = 0; i < replicas; i++) {
        all.servers.add(RedisServer.start(options.replicaOf(master)));
      }
      all.servers.stream().skip(1).forEach(replica -> replica.awaitInSync(master));
      for (int i = 0; i < SENTINELS; i++) {
        all.sentinels.add(Sentinel.start(master, QUORUM, options.password()));
      }
      all.awaitReady();
      return all;
    } catch (RuntimeException | AssertionError e) {
      all.close();
      throw e;
    }
  }

  /**
   * From now on no server is taken for down because it is silent, as all are for a while on a busy
   * machine: for tests that are not about failover.
   */
  public RedisSentinels withoutFailover() {
    sentinels.forEach(sentinel -> Sentinel.setDownAfter(sentinel, Sentinel.HARDLY_EVER));
    return this;
  }

  /** The name of the master in {@link #uri()}. */
  public String masterName() {
    return Sentinel.MASTER;
  }

  /** {@code redis-sentinel://127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3/mymaster}. */
  public String uri() {
    return sentinels.stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "/" + Sentinel.MASTER));
  }

  /** The three sentinels. Their {@code call} takes Sentinel's commands. */
  public List<RedisServer> sentinels() {
    return List.copyOf(sentinels);
  }

  /** All servers, whatever they are now; the first one was the first master. */
  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  /** The server that the sentinels name; of several the newest. It may be down. */
  public RedisServer master() {
    return up(sentinels).stream()
        .max(Comparator.comparingLong(Sentinel::epoch))
        .map(sentinel -> server(Sentinel.masterPort(sentinel)))
        .orElseThrow(() -> new IllegalStateException("no sentinel is up"));
  }

  /** The servers that are up, but the master. */
  public List<RedisServer> replicas() {
    RedisServer master = master();
    return up(servers).stream().filter(server -> server != master).toList();
  }

  /** Kills the master; returns the promoted replica, as {@link #awaitSuccessorOf}. */
  public RedisServer failover() {
    RedisServer old = master();
    old.process().kill9();
    return awaitSuccessorOf(old);
  }

  /**
   * Asks a sentinel for a failover though the master is well, which then becomes a replica; returns
   * the promoted replica when the old master follows it.
   */
  public RedisServer switchOver() {
    RedisServer old = master();
    up(sentinels).get(0).call("SENTINEL", "FAILOVER", Sentinel.MASTER);
    RedisServer successor = awaitSuccessorOf(old);
    old.awaitInSync(successor);
    return successor;
  }

  /**
   * Asks a sentinel for a failover though the master is well; returns the old master as soon as a
   * replica is promoted. The old one remains a master, too, until {@link #awaitOneMaster}.
   */
  public RedisServer promote() {
    RedisServer old = master();
    List<RedisServer> replicas = replicas();
    up(sentinels).get(0).call("SENTINEL", "FAILOVER", Sentinel.MASTER);
    Await.until(
        "the promotion of a replica of " + old,
        BOUND,
        () -> replicas.stream().anyMatch(replica -> replica.role().equals("master")));
    return old;
  }

  /** Returns when only one server is a master, and as {@link #awaitReady}. */
  public void awaitOneMaster() {
    Await.until(
        "one master",
        BOUND,
        () -> up(servers).stream().filter(each -> each.role().equals("master")).count() == 1);
    awaitReady();
  }

  /**
   * Returns the next master when all sentinels that are up name it, it takes writes, and the other
   * replicas follow it. For a master that was killed or paused; a master that goes on after a pause
   * is a master until the sentinels notice it. Replication that was lost before is as it was again.
   */
  public RedisServer awaitSuccessorOf(RedisServer old) {
    if (!old.process().isUp()) {
      // Nothing can be replicated any more, and a long timeout would delay a second try.
      up(sentinels).forEach(s -> Sentinel.setFailoverTimeout(s, Sentinel.FAILOVER_TIMEOUT));
    }
    Await.until(
        "a successor of " + old,
        BOUND,
        () ->
            up(sentinels).stream().noneMatch(s -> Sentinel.masterPort(s) == old.port())
                && master().role().equals("master"));
    RedisServer successor = master();
    List<RedisServer> followers = replicas().stream().filter(server -> server != old).toList();
    letReplicate(successor, followers);
    followers.forEach(replica -> replica.awaitInSync(successor));
    return successor;
  }

  /**
   * Starts a killed server again, on its port and without data, as a replica of the present master;
   * returns when it is in sync and the sentinels know it.
   */
  public void bringBack(RedisServer old) {
    RedisServer master = master();
    old.restartAsReplicaOf(master);
    old.awaitInSync(master);
    awaitReady();
  }

  /**
   * From now on no write of the master reaches a replica, and neither side notices: what it grants
   * is forgotten by a {@link #failover()}. The replica's own messages pass, so that the master
   * takes it for connected and lively. Until then or {@link #healReplication}.
   */
  public void loseReplication() {
    if (cut == null) {
      cut = ReplicationCut.between(master(), replicas(), up(sentinels));
    }
  }

  /** Lets the replicas catch up after {@link #loseReplication}; nothing if that was not called. */
  public void healReplication() {
    RedisServer master = master();
    letReplicate(master, replicas());
    replicas().forEach(replica -> replica.awaitInSync(master));
  }

  /** Returns when all servers and sentinels that are up know each other and are in sync. */
  public void awaitReady() {
    Await.until("servers and sentinels in order", BOUND, this::isReady);
  }

  /** Stops all of it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    // Sentinels first, so that they do not begin a failover.
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
    if (cut != null) {
      cut.close();
      cut = null;
    }
  }

  private boolean isReady() {
    int master = master().port();
    List<RedisServer> replicas = replicas();
    List<RedisServer> watching = up(sentinels);
    return watching.stream()
        .allMatch(
            sentinel ->
                Sentinel.masterPort(sentinel) == master
                    && Sentinel.seesAll(sentinel, replicas, watching.size()));
  }

  private void letReplicate(RedisServer master, List<RedisServer> replicas) {
    if (cut != null) {
      cut.close();
      cut = null;
      replicas.forEach(replica -> replica.replicate(master));
    }
  }

  private RedisServer server(int port) {
    return servers.stream()
        .filter(server -> server.port() == port)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no server of ours on port " + port));
  }

  private static List<RedisServer> up(List<RedisServer> some) {
    return some.stream().filter(server -> server.process().isUp()).toList();
  }
}
