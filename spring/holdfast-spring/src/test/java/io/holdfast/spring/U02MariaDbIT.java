package io.holdfast.spring;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** U02 and the rules of transactions, on MariaDB. */
class U02MariaDbIT {

  private static DatabaseServer server;

  @BeforeAll
  static void start() {
    server = DatabaseServer.mariaDb();
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
