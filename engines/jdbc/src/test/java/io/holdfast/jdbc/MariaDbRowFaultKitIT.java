package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;

/** The faults on rows that MariaDB keeps locked. */
final class MariaDbRowFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mariaDb(ROW);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
