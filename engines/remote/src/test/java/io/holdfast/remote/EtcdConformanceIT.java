package io.holdfast.remote;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through a server on etcd. */
final class EtcdConformanceIT extends EngineConformanceKit {

  private static EtcdServer store;
  private static LockServer server;

  @BeforeAll
  static void start() throws Exception {
    store = EtcdServer.start();
    server = RemoteStore.serve(store.uri());
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    store.close();
  }

  /** Waiters are attached to the lease of the server, which removes them after four leases. */
  @Override
  public EngineUnderTest open() {
    return RemoteStore.behind(server.address(), 4);
  }
}
