package io.holdfast.tck.faults;

import java.util.Set;

/** {@code memory:}, whose clients and store are stopped verb by verb. */
final class MemoryFaultKitIT extends EngineFaultKit {

  @Override
  protected FaultStore start() {
    return new MemoryFaultStore();
  }

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
  }
}
