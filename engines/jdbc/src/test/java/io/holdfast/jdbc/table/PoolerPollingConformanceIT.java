package io.holdfast.jdbc.table;

import io.holdfast.jdbc.Engines;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on PostgreSQL behind a pooler that gives every transaction another session. */
final class PoolerPollingConformanceIT extends EngineConformanceKit {

  private static PostgresServer server;
  private static PgBouncer pooler;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "500"));
    pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION, 20);
  }

  @AfterAll
  static void stop() {
    pooler.close();
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return () ->
        Engines.open(
            pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()) + "&holdfast.signals=false");
  }
}
