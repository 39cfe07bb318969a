package io.holdfast.remote;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through two servers on Redis; each connection goes to any of them. */
final class RedisTwoServersConformanceIT extends EngineConformanceKit {

  private static RedisServer store;
  private static LockServer one;
  private static LockServer two;
  private static RandomProxy proxy;

  @BeforeAll
  static void start() throws Exception {
    store = RedisServer.start();
    one = RemoteStore.serve(store.uri());
    two = RemoteStore.serve(store.uri());
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
