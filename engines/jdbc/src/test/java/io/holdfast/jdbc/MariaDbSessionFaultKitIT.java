package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;

/** The faults on the named locks of MariaDB. */
final class MariaDbSessionFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mariaDb(SESSION);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
