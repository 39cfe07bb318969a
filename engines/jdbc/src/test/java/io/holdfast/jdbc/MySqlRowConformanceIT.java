package io.holdfast.jdbc;

import io.holdfast.rig.MySqlServer;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
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
