package io.holdfast.jdbc;

import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.tck.faults.FaultStore;
import org.junit.jupiter.api.condition.EnabledIf;

/** The faults on MySQL. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
final class MySqlTableFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mySql(TABLE);
  }
}
