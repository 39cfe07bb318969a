package io.holdfast.jdbc;

import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.tck.faults.FaultScenario;
import io.holdfast.tck.faults.FaultStore;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIf;

/** The faults on the named locks of MySQL. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
final class MySqlSessionFaultKitIT extends JdbcFaultKitIT {

  @Override
  protected FaultStore start() {
    return mySql(SESSION);
  }

  @Override
  protected Set<FaultScenario> declined() {
    return declinedByConnectionLocks();
  }
}
