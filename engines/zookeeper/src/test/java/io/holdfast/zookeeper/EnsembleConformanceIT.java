package io.holdfast.zookeeper;

import io.holdfast.rig.ZooKeeperEnsemble;
import io.holdfast.tck.EngineConformanceKit;
import io.holdfast.tck.EngineUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on three servers. */
final class EnsembleConformanceIT extends EngineConformanceKit {

  /** As long as the servers allow: three of them are much for a small machine. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  private static ZooKeeperEnsemble ensemble;

  @BeforeAll
  static void start() {
    ensemble = ZooKeeperEnsemble.start();
  }

  @AfterAll
  static void stop() {
    ensemble.close();
  }

  @Override
  public EngineUnderTest open() {
    return new SilentClients(ensemble.members(), LEASE);
  }
}
