package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultStore;

/** The faults on PostgreSQL, with signals. */
final class PostgresTableFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return postgres(TABLE);
  }
}
