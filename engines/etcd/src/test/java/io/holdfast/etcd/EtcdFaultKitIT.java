package io.holdfast.etcd;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.List;
import java.util.Set;

/** The faults on a cluster of one. */
final class EtcdFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return new EtcdFaultStore("etcd", List.of(EtcdServer.start())) {};
  }

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
  }
}
