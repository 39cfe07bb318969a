package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on MariaDB. */
final class MariaDbTableConformanceIT extends EngineConformanceKit {

  private static MariaDbServer server;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start("--max-connections=500");
    server.createDatabase("kit");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(server.jdbcUri("kit", server.user()));
  }
}
