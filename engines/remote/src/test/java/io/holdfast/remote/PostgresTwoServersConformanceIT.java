package io.holdfast.remote;

import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through two servers on PostgreSQL; each connection goes to any of them. */
final class PostgresTwoServersConformanceIT extends EngineConformanceKit {

  private static PostgresServer store;
  private static LockServer one;
  private static LockServer two;
  private static RandomProxy proxy;

  @BeforeAll
  static void start() throws Exception {
    store = PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "200"));
    one = RemoteStore.serve(store.jdbcUri(PostgresServer.DATABASE, store.user()));
    two = RemoteStore.serve(store.jdbcUri(PostgresServer.DATABASE, store.user()));
    proxy = RandomProxy.to(List.of(one.port(), two.port()));
  }

  @AfterAll
  static void stop() throws Exception {
    proxy.close();
    one.close();
    two.close();
    store.close();
  }

  @Override
  public EngineUnderTest open() {
    return RemoteStore.behind(proxy.address(), 1);
  }
}
