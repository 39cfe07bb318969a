package io.holdfast.remote;

import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through a server on PostgreSQL. */
final class PostgresConformanceIT extends EngineConformanceKit {

  private static PostgresServer store;
  private static LockServer server;

  @BeforeAll
  static void start() throws Exception {
    store = PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "200"));
    server = RemoteStore.serve(store.jdbcUri(PostgresServer.DATABASE, store.user()));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    store.close();
  }

  @Override
  public EngineUnderTest open() {
    return RemoteStore.behind(server.address(), 1);
  }
}
