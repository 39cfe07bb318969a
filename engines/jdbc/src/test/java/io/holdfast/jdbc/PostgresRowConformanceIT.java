package io.holdfast.jdbc;

import io.holdfast.rig.PostgresOptions;
import io.holdfast.rig.PostgresServer;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on rows that PostgreSQL keeps locked. */
final class PostgresRowConformanceIT extends EngineConformanceKit {

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresOptions.PLAIN.with("max_connections", "300"));
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
