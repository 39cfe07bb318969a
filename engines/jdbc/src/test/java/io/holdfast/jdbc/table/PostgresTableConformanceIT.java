package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on PostgreSQL, with signals. */
final class PostgresTableConformanceIT extends EngineConformanceKit {

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "500"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return () -> Engines.open(server.jdbcUri(PostgresServer.DATABASE, server.user()));
  }
}
