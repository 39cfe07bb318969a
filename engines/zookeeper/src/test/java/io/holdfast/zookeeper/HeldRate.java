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

/**
 * What it costs to keep many locks: as much as to keep a few, and the looks at the store that a
 * beat allows, however many there are.
 */
final class HeldRate {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int FEW = 10;
  private static final int AT_ONCE = 500;
  private static final Duration LEASE = Duration.ofSeconds(12);

  /** As often as all are renewed: each has had its turn in this time. */
  private static final Duration RENEWED = LEASE.dividedBy(3);

  private static final Duration BEAT = LEASE.dividedBy(8);
  private static final int LOOKS_A_BEAT = 500;

  /** As many as renewals in a batch, before which something is written. */
  private static final int BATCH = 100;

  /** Batches are not always full. */
  private static final double SLACK = 1.2;

  /** A hold that nobody can reach any more is given back. */
  private final List<Hold> held = new ArrayList<>();

  /** Takes so many, and fails if the requests that follow are more than they should be. */
  void requireFlat(int count) throws Exception {
    ZooKeeperOptions options = ZooKeeperOptions.PLAIN.withTick(Duration.ofMillis(600));
    try (ZooKeeperServer server = ZooKeeperServer.start(options);
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=12s")) {
      hold(holdfast, "few", FEW);
      double few = requests(server, Duration.ofSeconds(2)) / 2;
      hold(holdfast, "many", count);
      double many = requests(server, RENEWED) / RENEWED.toSeconds();
      double most = few + SLACK * most(count) / RENEWED.toSeconds();
      Figure.print(
          "requests a second: %.1f with %d held, %.1f with %,d (bound %.1f; one for each renewal"
              + " would be %,d)",
          few, FEW, many, held.size(), most, count / RENEWED.toSeconds());
      held.forEach(Hold::ensureHeld);
      assertThat(many).isLessThan(most);
    }
  }

  /** The looks of all beats that there may be in a round of renewals, and a write for a batch. */
  private static double most(int count) {
    double beats = 1.0 * RENEWED.toNanos() / BEAT.toNanos() + 1;
    return beats * LOOKS_A_BEAT + 2.0 * count / BATCH;
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

  private static double requests(ZooKeeperServer server, Duration time) {
    long before = server.number("zk_packets_received");
    long start = System.nanoTime();
    Await.until("time passes", LONG, () -> System.nanoTime() - start > time.toNanos());
    double longer = 1.0 * (System.nanoTime() - start) / time.toNanos();
    return (server.number("zk_packets_received") - before) / longer;
  }
}
