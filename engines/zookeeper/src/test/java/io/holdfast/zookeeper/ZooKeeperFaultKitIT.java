package io.holdfast.zookeeper;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.EngineException;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;
import java.util.Set;

/** The faults on one server. */
final class ZooKeeperFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() throws EngineException {
    ZooKeeperServer server = ZooKeeperServer.start(ZooKeeperFaultStore.OPTIONS);
    Engines.warmUp(server.uri());
    return new ZooKeeperFaultStore("ZooKeeper", List.of(server)) {};
  }

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
  }
}
