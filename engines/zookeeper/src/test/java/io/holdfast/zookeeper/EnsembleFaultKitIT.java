package io.holdfast.zookeeper;

import io.holdfast.rig.servers.ZooKeeperEnsemble;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.EngineException;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultServer;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;
import java.util.stream.Stream;

/** The faults on three servers. */
final class EnsembleFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() throws EngineException {
    ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(ZooKeeperFaultStore.OPTIONS);
    ensemble.awaitAll();
    Engines.warmUp(ensemble.uri());
    return new Store(ensemble);
  }

  private static final class Store extends ZooKeeperFaultStore {
    private final ZooKeeperEnsemble ensemble;

    Store(ZooKeeperEnsemble ensemble) {
      super("ZooKeeper, three servers", ensemble.members());
      this.ensemble = ensemble;
    }

    /** A follower first. */
    @Override
    public List<FaultServer> servers() {
      ZooKeeperServer follower = ensemble.follower();
      return Stream.concat(
              Stream.of(follower), ensemble.members().stream().filter(other -> other != follower))
          .map(member -> server(member.process(), (namespace, name) -> false))
          .toList();
    }

    @Override
    public void restart() {
      super.restart();
      ensemble.awaitAll();
    }

    @Override
    public void close() {
      ensemble.close();
    }
  }
}
