package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;

/** The faults on the advisory locks of PostgreSQL. */
final class PostgresSessionFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return postgres(SESSION);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
