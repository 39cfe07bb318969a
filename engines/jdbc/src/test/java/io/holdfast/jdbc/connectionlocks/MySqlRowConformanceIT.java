package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.SilentClients;
import io.holdfast.jdbc.Sources;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** The kit on rows that MySQL keeps locked. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
final class MySqlRowConformanceIT extends EngineConformanceKit {

  private static MySqlServer server;

  @BeforeAll
  static void start() {
    server = MySqlServer.start("--max-connections=300");
    server.createDatabase("kit");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    String uri = server.jdbcUri("kit", server.user()) + "&sslMode=DISABLED";
    return new SilentClients(
        server.process(), uri + "&holdfast.mode=row&holdfast.rowConnections=120", Sources::mySql);
  }
}
