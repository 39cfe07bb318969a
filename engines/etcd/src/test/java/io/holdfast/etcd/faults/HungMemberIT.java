package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdCluster;
import io.holdfast.rig.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A member that carries the stream of watches stands still, while the others go on. */
@Isolated
@Timeout(180)
class HungMemberIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final int HOLDS = 400;

  /** Each tenth hold is deleted: some of them were looked at a moment ago, some long ago. */
  private static final int STEP = 10;

  private EtcdCluster cluster;

  @BeforeEach
  void start() {
    cluster = EtcdCluster.start();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  @DisplayName("holds whose watches were at a hung member are told as soon as calls have moved on")
  void hungStream() throws Exception {
    int hung = cluster.follower();
    int well = cluster.leader();
    try (Holdfast holder = Holdfast.connect(cluster.uriFrom(hung) + "?holdfast.lease=6s");
        Holdfast rival = Holdfast.connect(cluster.uriFrom(well) + "?holdfast.lease=6s")) {
      List<Hold> holds = acquire(holder);
      Await.until("all are watched", LONG, () -> watched(holder) >= HOLDS);
      long from = System.nanoTime();
      Await.until("quiet", LONG, () -> System.nanoTime() - from > LEASE.toNanos() / 2);
      long stopped = cluster.member(hung).process().pause();
      holder.lock("moved-on").acquire(LONG).close();
      Figure.since(stopped, Duration.ofSeconds(4), "a member hangs: calls go to the next");

      long longest = 0;
      Map<String, Long> told = new ConcurrentHashMap<>();
      for (int i = 0; i < HOLDS; i += STEP) {
        Hold hold = holds.get(i);
        hold.onLoss(loss -> told.put(loss.name(), System.nanoTime()));
        cluster.member(well).delete(Lines.first(cluster.member(well), hold.name()));
        Hold beside = rival.lock(hold.name()).acquire(LONG);
        long in = System.nanoTime();
        assertThat(beside.token()).isGreaterThan(hold.token());
        Await.until("told", LONG, () -> told.containsKey(hold.name()));
        longest = Math.max(longest, told.get(hold.name()) - in);
        beside.close();
      }
      cluster.member(hung).process().resume();
      Figure.within(
          Duration.ofMillis(300),
          longest,
          "a member hangs (%d holds, lease 6 s): a holder whose key is gone is told"
              .formatted(HOLDS));
      // On a busy machine the others may take more than a sixth of the lease, and count as hung.
      int expired = 0;
      for (int i = 1; i < HOLDS; i += STEP) {
        Optional<Loss> loss = holds.get(i).loss();
        loss.ifPresent(why -> assertThat(why.cause()).isEqualTo(Loss.Cause.EXPIRED));
        expired += loss.isPresent() ? 1 : 0;
      }
      Figure.print("a member hangs: %d of %d other holds expired", expired, HOLDS / STEP);
    }
  }

  private static List<Hold> acquire(Holdfast holdfast) {
    List<CompletableFuture<Hold>> acquiring = new ArrayList<>();
    for (int i = 0; i < HOLDS; i++) {
      acquiring.add(holdfast.lock("held/" + i).acquireAsync(LONG));
    }
    return acquiring.stream().map(CompletableFuture::join).toList();
  }

  private static long watched(Holdfast holdfast) {
    return holdfast.health().counters().getOrDefault("signals.holds", 0L);
  }
}
