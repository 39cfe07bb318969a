package io.holdfast.zookeeper.faults;

import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.scenarios.HandOverScenario;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a waiter is in after a release. */
@Isolated
@Timeout(120)
class WakeUpIT {

  private static final HandOverScenario OFTEN = new HandOverScenario(1, 150, Duration.ofMillis(5));
  private static final Duration BOUND = Duration.ofMillis(50);

  private static ZooKeeperServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("u14 a waiter is in within 50 ms of the release, at the 99th percentile")
  void signalled(String order) throws Exception {
    String uri = server.uri() + "/wakes?holdfast.lease=4s&holdfast.order=" + order;
    WakeUps wakeUps = OFTEN.play(folder, uri);
    Figure.print("signals, order %s: %s (bound p99 50 ms)", order, wakeUps);
    // On a busy machine the waiter comes after the release, now and then.
    wakeUps.within(Duration.ofMillis(Figure.SLACK * 1_000)).requireClean(100);
    wakeUps.requireP99(BOUND);
  }
}
