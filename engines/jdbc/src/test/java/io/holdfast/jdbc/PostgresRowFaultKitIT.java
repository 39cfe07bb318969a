package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;

/** The faults on rows that PostgreSQL keeps locked. */
final class PostgresRowFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return postgres(ROW);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
