package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.scenarios.ManyNamesScenario;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U31: names that are used once leave nothing behind; {@code -Dlong} uses 200,000. */
class U31ResidueIT {

  private static final int NAMES = LongRun.of(10_000, 200_000);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  @Timeout(600)
  void names_that_were_used_once_leave_no_key_and_tokens_still_rise() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      long before = ManyNamesScenario.use(holdfast, 0);
      long millis = ManyNamesScenario.useAll(holdfast, NAMES);
      assertThat(server.keys("holdfast/line/")).isEmpty();
      // A first attempt that took too long has left a tombstone, for a lease.
      Await.until("nothing but the record", MINUTE, () -> server.keys("holdfast/").size() == 1);
      assertThat(ManyNamesScenario.use(holdfast, 0)).isGreaterThan(before);
      Figure.print(
          "U31: %,d names in %,d ms (%,d/s) left nothing behind",
          NAMES, millis, NAMES * 1000L / millis);
    }
  }

  /** Deleted keys are walked over until a compaction: a name that is in use must not make more. */
  @Test
  void a_name_that_is_taken_again_and_again_has_few_keys() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri())) {
      Set<String> keys = new HashSet<>();
      for (int i = 0; i < 40; i++) {
        try (Hold hold = holdfast.lock("again").acquire(MINUTE)) {
          assertThat(hold.isHeld()).isTrue();
          keys.addAll(server.keys("holdfast/line/"));
        }
      }
      // Another may be taken before the last is given back, or after an answer that stayed out.
      assertThat(keys).hasSizeLessThan(20);
    }
  }
}
