package io.holdfast.remote;

import io.holdfast.server.LockServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit through a server on memory. */
final class MemoryConformanceIT extends EngineConformanceKit {

  private static LockServer server;

  @BeforeAll
  static void start() throws Exception {
    server = RemoteStore.serve("memory:remote-conformance");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return RemoteStore.behind(server.address(), 1);
  }
}
