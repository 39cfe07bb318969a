package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The kit on MySQL. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
final class MySqlTableConformanceIT extends EngineConformanceKit {

  private static MySqlServer server;

  @BeforeAll
  static void start() {
    server = MySqlServer.start("--max-connections=500");
    server.createDatabase("kit");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(server.jdbcUri("kit", server.user()) + "&sslMode=DISABLED");
  }
}
