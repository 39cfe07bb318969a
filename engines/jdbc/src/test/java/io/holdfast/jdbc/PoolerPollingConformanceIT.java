package io.holdfast.jdbc;

import io.holdfast.rig.PgBouncer;
import io.holdfast.rig.PostgresOptions;
import io.holdfast.rig.PostgresServer;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on PostgreSQL behind a pooler that gives every transaction another session. */
final class PoolerPollingConformanceIT extends EngineConformanceKit {

  private static PostgresServer server;
  private static PgBouncer pooler;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresOptions.PLAIN.with("max_connections", "500"));
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
