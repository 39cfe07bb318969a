package io.holdfast.jdbc;

import io.holdfast.rig.MySqlServer;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
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
