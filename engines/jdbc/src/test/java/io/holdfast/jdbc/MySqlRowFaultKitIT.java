package io.holdfast.jdbc;

import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIf;

/** The faults on rows that MySQL keeps locked. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
final class MySqlRowFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mySql(ROW);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
