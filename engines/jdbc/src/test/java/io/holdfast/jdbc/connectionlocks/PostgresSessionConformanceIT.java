package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.SilentClients;
import io.holdfast.jdbc.Sources;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on PostgreSQL's advisory locks. */
final class PostgresSessionConformanceIT extends EngineConformanceKit {

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
    return new SilentClients(server.process(), uri + "&holdfast.mode=session", Sources::postgres);
  }
}
