package io.holdfast.remote;

import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through two servers on memory, which both share; each connection goes to any of them. */
final class MemoryTwoServersConformanceIT extends EngineConformanceKit {

  private static LockServer one;
  private static LockServer two;
  private static RandomProxy proxy;

  @BeforeAll
  static void start() throws Exception {
    one = RemoteStore.serve("memory:remote-two-servers");
    two = RemoteStore.serve("memory:remote-two-servers");
    proxy = RandomProxy.to(List.of(one.port(), two.port()));
  }

  @AfterAll
  static void stop() throws Exception {
    proxy.close();
    one.close();
    two.close();
  }

  @Override
  public EngineUnderTest open() {
    return RemoteStore.behind(proxy.address(), 1);
  }
}
