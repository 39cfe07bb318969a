package io.holdfast.etcd;

import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;
import java.util.stream.Stream;

/** The faults on three members. */
final class ClusterFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return new Store(EtcdCluster.start());
  }

  private static final class Store extends EtcdFaultStore {
    private final EtcdCluster cluster;

    Store(EtcdCluster cluster) {
      super("etcd of three", cluster.members());
      this.cluster = cluster;
    }

    /** A follower first: a leader that hangs and comes back may end leases that were kept. */
    @Override
    public List<FaultServer> servers() {
      EtcdServer follower = cluster.member(cluster.follower());
      return Stream.concat(
              Stream.of(follower), cluster.members().stream().filter(other -> other != follower))
          .map(member -> server(member.process(), (namespace, name) -> false))
          .toList();
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
