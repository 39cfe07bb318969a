package io.holdfast.redis;

import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.Resource;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;

/** The faults on a cluster of three masters, of which none is replaced. */
final class ClusterFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return new Store(RedisCluster.start().withoutFailover());
  }

  private static final class Store extends RedisFaultStore {
    private final RedisCluster cluster;

    Store(RedisCluster cluster) {
      super("Redis Cluster", cluster.servers(), cluster.uri());
      this.cluster = cluster;
    }

    @Override
    List<RedisServer> masters() {
      return cluster.masters();
    }

    @Override
    RedisServer masterOf(String tag) {
      return cluster.nodeOf(cluster.slotOf(tag));
    }

    @Override
    public List<FaultServer> servers() {
      return masters().stream()
          .map(
              master ->
                  server(master.process(), (namespace, name) -> owns(master, namespace, name)))
          .toList();
    }

    /** Asked of the last master: the first is the one that hangs. */
    private boolean owns(RedisServer master, String namespace, String name) {
      String tag = Keys.tagText(Keys.bucket(Keys.path(new Resource(namespace, name))));
      return masterOf(tag) == master;
    }

    @Override
    public void restart() {
      super.restart();
      cluster.awaitReady();
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
