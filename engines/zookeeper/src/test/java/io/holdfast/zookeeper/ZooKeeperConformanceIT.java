package io.holdfast.zookeeper;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.EngineException;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on one server. */
final class ZooKeeperConformanceIT extends EngineConformanceKit {

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() throws EngineException {
    server = ZooKeeperServer.start();
    Engines.warmUp(server.uri());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public EngineUnderTest open() {
    return new SilentClients(List.of(server), Engines.LEASE);
  }
}
