package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.SilentClients;
import io.holdfast.jdbc.Sources;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on rows that MariaDB keeps locked. */
final class MariaDbRowConformanceIT extends EngineConformanceKit {

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start("--max-connections=300");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    String uri = server.jdbcUri(MariaDbServer.DATABASE, server.user());
    return new SilentClients(
        server.process(), uri + "&holdfast.mode=row&holdfast.rowConnections=120", Sources::mariaDb);
  }
}
