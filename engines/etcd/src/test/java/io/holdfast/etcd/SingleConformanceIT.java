package io.holdfast.etcd;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on a cluster of one. */
final class SingleConformanceIT extends EngineConformanceKit {

  private static EtcdServer etcd;

  @BeforeAll
  static void start() throws Exception {
    etcd = EtcdServer.start();
  }

  @AfterAll
  static void stop() throws Exception {
    etcd.close();
  }

  @Override
  public EngineUnderTest open() {
    return Engines.store(etcd.uri());
  }
}
