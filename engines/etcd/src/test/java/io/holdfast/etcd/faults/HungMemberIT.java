package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** One of three members hangs, while the others continue. */
@Isolated
@Timeout(180)
class HungMemberIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final int HOLDS = 400;

  /**
   * A keep-alive is 0.53 of the lease old at most when the next one is due, so 2.6 s of a lease of
   * 6 s are left for an election and for the calls after it.
   */
  private static final Duration ELECTION = Duration.ofSeconds(2);

  /** Each tenth hold is deleted: some of them were read a moment ago, some long ago. */
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
  @DisplayName(
      "a follower hangs that carries calls and watches: holds stay, and are notified again")
  void hungFollower() throws Exception {
    int hung = cluster.follower();
    int well = cluster.leader();
    try (Holdfast holder = connect(hung);
        Holdfast rival = connect(well)) {
      List<Hold> holds = acquire(holder);
      Rivals rivals = new Rivals(rival, others(holds));
      long stopped = pauseAtAnyTime(hung);
      holder.lock("moved-on").acquire(LONG).close();
      Figure.since(stopped, Duration.ofSeconds(4), "a follower hangs: calls go to the next");
      Duration notified = deleteSome(holds, well, rival);
      pass(stopped, LEASE.multipliedBy(2));
      rivals.requireNoOverlap();
      requireNoLoss("a follower hangs", others(holds));
      cluster.member(hung).process().resume();
      // Last: a late notification is a matter of time, a lost hold is not.
      Figure.within(
          Duration.ofMillis(300),
          notified.toNanos(),
          "a follower hangs (%d holds, lease 6 s): the holder of a deleted key is notified"
              .formatted(HOLDS));
    }
  }

  @Test
  @DisplayName("the leader hangs, with calls and watches or without: holds outlive the election")
  void hungLeader() throws Exception {
    int hung = cluster.leader();
    try (Holdfast direct = connect(hung);
        Holdfast forwarded = connect((hung + 1) % 3);
        Holdfast rival = connect((hung + 2) % 3)) {
      List<Hold> holds = new ArrayList<>(acquire(direct));
      List<Hold> single = List.of(forwarded.lock("single").acquire(LONG));
      Rivals rivals = new Rivals(rival, Stream.concat(holds.stream(), single.stream()).toList());
      long stopped = pauseAtAnyTime(hung);
      cluster.leaderOtherThan(hung);
      long elected = System.nanoTime() - stopped;
      Figure.within(ELECTION, elected, "the leader hangs: another member leads");
      pass(stopped, LEASE.multipliedBy(2));
      // The leader is not resumed: it would revoke leases that its successor has kept.
      rivals.requireNoOverlap();
      if (elected < ELECTION.toNanos()) {
        requireNoLoss("the leader hangs", holds);
        requireNoLoss("the leader hangs, calls are forwarded to it", single);
      } else {
        Figure.print("the leader hangs: %d of %d holds lost", losses(holds).size(), holds.size());
      }
    }
  }

  private Holdfast connect(int first) {
    return Holdfast.connect(cluster.uriFrom(first) + "?holdfast.lease=6s");
  }

  /** All holds are watched when this returns. */
  private static List<Hold> acquire(Holdfast holdfast) {
    List<CompletableFuture<Hold>> acquiring = new ArrayList<>();
    for (int i = 0; i < HOLDS; i++) {
      acquiring.add(holdfast.lock("held/" + i).acquireAsync(LONG));
    }
    List<Hold> holds = acquiring.stream().map(CompletableFuture::join).toList();
    Await.until("all are watched", LONG, () -> watched(holdfast) >= HOLDS);
    return holds;
  }

  private static long watched(Holdfast holdfast) {
    return holdfast.health().counters().getOrDefault("signals.holds", 0L);
  }

  /** Pauses the member between half a lease and a whole one from now; returns when. */
  private long pauseAtAnyTime(int member) {
    long half = LEASE.toNanos() / 2;
    pass(System.nanoTime(), Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half)));
    return cluster.member(member).process().pause();
  }

  private static void pass(long from, Duration time) {
    Await.until("time passes", LONG, () -> System.nanoTime() - from > time.toNanos());
  }

  /** Deletes some holds by hand; returns the longest time until a holder was notified. */
  private Duration deleteSome(List<Hold> holds, int well, Holdfast rival) throws Exception {
    long longest = 0;
    Map<String, Long> notified = new ConcurrentHashMap<>();
    for (int i = 0; i < HOLDS; i += STEP) {
      Hold hold = holds.get(i);
      assertThat(hold.loss()).as("lost before its key is deleted").isEmpty();
      hold.onLoss(loss -> notified.put(loss.name(), System.nanoTime()));
      List<String> tickets = Lines.tickets(cluster.member(well), hold.name());
      assertThat(tickets).hasSize(1);
      cluster.member(well).delete(tickets.get(0));
      Hold next = rival.lock(hold.name()).acquire(LONG);
      long in = System.nanoTime();
      assertThat(next.token()).isGreaterThan(hold.token());
      Await.until("notified", LONG, () -> notified.containsKey(hold.name()));
      longest = Math.max(longest, notified.get(hold.name()) - in);
      next.close();
    }
    return Duration.ofNanos(longest);
  }

  /** The holds that are not deleted. */
  private static List<Hold> others(List<Hold> holds) {
    return IntStream.range(0, HOLDS).filter(i -> i % STEP != 0).mapToObj(holds::get).toList();
  }

  private static List<Loss> losses(List<Hold> holds) {
    return holds.stream().flatMap(hold -> hold.loss().stream()).toList();
  }

  private static void requireNoLoss(String what, List<Hold> holds) {
    List<Loss> lost = losses(holds);
    Figure.print("%s: %d of %d holds lost", what, lost.size(), holds.size());
    assertThat(lost).isEmpty();
    holds.forEach(Hold::ensureHeld);
  }

  /** Waits for some of the names that are held. */
  private static final class Rivals {

    private static final int STEP = 20;

    private final Map<String, CompletableFuture<Boolean>> heldBeside = new LinkedHashMap<>();

    Rivals(Holdfast rival, List<Hold> holds) {
      for (int i = holds.size() - 1; i >= 0; i -= STEP) {
        Hold hold = holds.get(i);
        heldBeside.put(
            hold.name(), rival.lock(hold.name()).acquireAsync(LONG).thenApply(in -> hold.isHeld()));
      }
    }

    /** No holder believed in its hold when a rival was in. */
    void requireNoOverlap() {
      heldBeside.forEach(
          (name, beside) -> {
            if (beside.isDone() && !beside.isCompletedExceptionally()) {
              assertThat(beside.join()).as("held beside a rival: " + name).isFalse();
            }
          });
    }
  }
}
