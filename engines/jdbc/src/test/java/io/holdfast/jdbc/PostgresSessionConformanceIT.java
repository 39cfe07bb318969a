package io.holdfast.jdbc;

import io.holdfast.rig.PostgresOptions;
import io.holdfast.rig.PostgresServer;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on PostgreSQL's advisory locks. */
final class PostgresSessionConformanceIT extends EngineConformanceKit {

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
    return new SilentClients(server.process(), uri + "&holdfast.mode=session", Sources::postgres);
  }
}
