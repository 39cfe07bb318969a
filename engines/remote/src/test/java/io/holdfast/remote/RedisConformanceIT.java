package io.holdfast.remote;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through a server on Redis. */
final class RedisConformanceIT extends EngineConformanceKit {

  private static RedisServer store;
  private static LockServer server;

  @BeforeAll
  static void start() throws Exception {
    store = RedisServer.start();
    server = RemoteStore.serve(store.uri());
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
