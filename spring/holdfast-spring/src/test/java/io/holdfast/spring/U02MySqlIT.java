package io.holdfast.spring;

import io.holdfast.rig.servers.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** U02 and the rules of transactions, on MySQL. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class U02MySqlIT {

  private static DatabaseServer server;

  @BeforeAll
  static void start() {
    server = DatabaseServer.mySql();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Nested
  class Transactions extends U02TransactionRules {
    Transactions() {
      super(server);
    }
  }

  @Nested
  class Sessions extends Rule03SessionRules {
    Sessions() {
      super(server);
    }
  }

  @Nested
  class Fencing extends Rule06FencingRules {
    Fencing() {
      super(server);
    }
  }
}
