package io.holdfast.redis;

import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;
import java.util.stream.Stream;

/** The faults on a master with a replica and three sentinels, which do not replace it. */
final class SentinelFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return new Store(RedisSentinels.start().withoutFailover());
  }

  private static final class Store extends RedisFaultStore {
    private final RedisSentinels sentinels;
    private final RedisServer master;

    Store(RedisSentinels sentinels) {
      super("Redis Sentinel", List.of(sentinels.master()), sentinels.uri());
      this.sentinels = sentinels;
      this.master = sentinels.master();
    }

    @Override
    List<RedisServer> masters() {
      return List.of(master);
    }

    @Override
    RedisServer masterOf(String tag) {
      return master;
    }

    /** A sentinel, whose address is the first that clients know, the replica and the master. */
    @Override
    public List<FaultServer> servers() {
      return Stream.of(sentinels.sentinels().get(0), sentinels.replicas().get(0), master)
          .map(server -> server(server.process(), (namespace, name) -> server == master))
          .toList();
    }

    @Override
    public void close() {
      sentinels.close();
    }
  }
}
