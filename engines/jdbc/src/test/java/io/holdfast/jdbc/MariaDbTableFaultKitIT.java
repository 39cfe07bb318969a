package io.holdfast.jdbc;

import io.holdfast.tck.faults.FaultStore;

/** The faults on MariaDB. */
final class MariaDbTableFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mariaDb(TABLE);
  }
}
