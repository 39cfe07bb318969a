package io.holdfast.redis;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;

/** The faults on one server, with signals. */
final class RedisFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return RedisFaultStore.of(RedisServer.start());
  }

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
  }
}
