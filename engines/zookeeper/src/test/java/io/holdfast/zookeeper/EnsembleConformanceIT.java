package io.holdfast.zookeeper;

import io.holdfast.rig.servers.ZooKeeperEnsemble;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The kit on three servers. */
final class EnsembleConformanceIT extends EngineConformanceKit {

  /** Twice the usual, as is the servers' tick: three of them are much for a small machine. */
  private static final Duration LEASE = Engines.LEASE.multipliedBy(2);

  private static final Duration TICK = ZooKeeperServerOptions.PLAIN.tick().multipliedBy(2);

  private static ZooKeeperEnsemble ensemble;

  @BeforeAll
  static void start() throws EngineException {
    ensemble = ZooKeeperEnsemble.start(ZooKeeperServerOptions.PLAIN.withTick(TICK));
    Engines.warmUp(ensemble.uri());
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
