package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.ZooKeeperOptions;
import io.holdfast.rig.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What it costs to keep many locks. */
@Timeout(180)
class ManyHeldIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int AT_ONCE = 500;
  private static final Duration WHILE = Duration.ofSeconds(5);

  /** A hold that nobody can reach any more is given back. */
  private final List<Hold> held = new ArrayList<>();

  @Test
  @DisplayName("ten thousand held locks on one session have a flat rate of requests")
  void flat() throws Exception {
    ZooKeeperOptions options = ZooKeeperOptions.PLAIN.withTick(Duration.ofMillis(600));
    try (ZooKeeperServer server = ZooKeeperServer.start(options);
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=12s")) {
      hold(holdfast, "few", 10);
      double few = rate(server);
      hold(holdfast, "many", 10_000);
      double many = rate(server);
      Figure.print("requests a second: %.1f with 10 held, %.1f with 10,010", few, many);
      assertThat(held.stream().filter(hold -> !hold.isHeld()).map(Hold::loss)).isEmpty();
      // Ten thousand renewals each third of twelve seconds would be 2,500.
      assertThat(many).isLessThan(1_000);
    }
  }

  private void hold(Holdfast holdfast, String prefix, int count) throws Exception {
    for (int from = 0; from < count; from += AT_ONCE) {
      List<CompletableFuture<Hold>> some = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + AT_ONCE); i++) {
        some.add(holdfast.lock(prefix + i).acquireAsync(LONG));
      }
      for (CompletableFuture<Hold> each : some) {
        held.add(each.get(60, TimeUnit.SECONDS));
      }
    }
  }

  private static double rate(ZooKeeperServer server) {
    long before = server.number("zk_packets_received");
    long start = System.nanoTime();
    Await.until("time passes", LONG, () -> System.nanoTime() - start > WHILE.toNanos());
    long received = server.number("zk_packets_received") - before;
    return received * 1e9 / (System.nanoTime() - start);
  }
}
