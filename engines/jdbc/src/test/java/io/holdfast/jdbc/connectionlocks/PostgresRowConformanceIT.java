package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.SilentClients;
import io.holdfast.jdbc.Sources;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on rows that PostgreSQL keeps locked. */
final class PostgresRowConformanceIT extends EngineConformanceKit {

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "300"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    String uri = server.jdbcUri(PostgresServer.DATABASE, server.user());
    return new SilentClients(
        server.process(),
        uri + "&holdfast.mode=row&holdfast.rowConnections=120",
        Sources::postgres);
  }
}
