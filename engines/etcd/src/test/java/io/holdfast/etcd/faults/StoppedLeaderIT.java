package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.StaleTokenException;
import io.holdfast.etcd.EtcdFenceGuard;
import io.holdfast.rig.servers.EtcdCluster;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A leader stands still for longer than the leases, and then goes on. It may revoke leases then
 * that its successor has kept, which no client can prevent: holds are lost while their clients
 * renew.
 */
@Isolated
@Timeout(240)
class StoppedLeaderIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final int STOPS = LongRun.of(2, 7);
  private static final int CLIENTS = 6;

  private EtcdCluster cluster;

  @BeforeEach
  void start() {
    cluster = EtcdCluster.start();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** A holder, and a waiter for the same name. */
  private static final class Pair {
    final String name;
    final Hold held;
    final AtomicLong lost = new AtomicLong();
    final AtomicLong in = new AtomicLong();
    final CompletableFuture<Hold> next;

    Pair(String name, Holdfast holder, Holdfast waiter) throws InterruptedException {
      this.name = name;
      this.held = holder.lock(name).acquire(LONG);
      held.onLoss(loss -> lost.set(System.nanoTime()));
      this.next =
          waiter
              .lock(name)
              .acquireAsync(LONG)
              .thenApply(
                  hold -> {
                    in.set(System.nanoTime());
                    return hold;
                  });
    }

    /** How long both believed; empty if the first was notified before. */
    long overlap() {
      return Math.max(0, lost.get() - in.get());
    }
  }

  @Test
  @DisplayName("tokens and guards hold, and where holds are lost the overlap ends with the signal")
  void stopped() throws Exception {
    int revoked = 0;
    int expired = 0;
    long longest = 0;
    for (int stop = 0; stop < STOPS; stop++) {
      int leader = cluster.leader();
      List<Holdfast> open = new ArrayList<>();
      try (EtcdFenceGuard guard = EtcdFenceGuard.connect(cluster.uriFrom((leader + 1) % 3))) {
        List<Pair> pairs = pairs(stop, leader, open);
        cluster.member(leader).process().pause();
        long paused = System.nanoTime();
        cluster.leaderOtherThan(leader);
        Await.until(
            "longer than the lease",
            LONG,
            () -> System.nanoTime() - paused > LEASE.plusSeconds(2).toNanos());
        // On a busy machine an election may take as long as the lease: then a hold ends by its
        // time.
        for (Pair pair : pairs) {
          pair.held
              .loss()
              .ifPresent(loss -> assertThat(loss.cause()).isEqualTo(Loss.Cause.EXPIRED));
        }
        expired += removeLost(pairs);
        cluster.member(leader).process().resume();
        long resumed = System.nanoTime();
        Await.until(
            "it has had its say", LONG, () -> System.nanoTime() - resumed > LEASE.toNanos());
        for (Pair pair : pairs) {
          if (pair.next.isDone() || !pair.held.isHeld()) {
            revoked++;
            longest = Math.max(longest, checkLoss(pair, guard));
          } else {
            pair.held.close();
            pair.next.get(60, TimeUnit.SECONDS).close();
          }
        }
      } finally {
        open.forEach(Holdfast::close);
      }
    }
    Figure.print(
        "leader stopped for 6 s (lease 4 s), %d times: %d of %d leases revoked that were kept;"
            + " %d ended during the election",
        STOPS, revoked, STOPS * CLIENTS - expired, expired);
    Figure.within(
        Duration.ofMillis(150), longest, "leader stopped and back: both believe, at most,");
  }

  private List<Pair> pairs(int stop, int leader, List<Holdfast> open) throws Exception {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Holdfast holder = connect((leader + 1) % 3, open);
      Holdfast waiter = connect((leader + 2) % 3, open);
      pairs.add(new Pair("x/" + stop + "/" + i, holder, waiter));
    }
    for (Pair pair : pairs) {
      Lines.await(cluster.member((leader + 1) % 3), pair.name, 2);
    }
    return pairs;
  }

  private static int removeLost(List<Pair> pairs) {
    int before = pairs.size();
    pairs.removeIf(pair -> !pair.held.isHeld());
    return before - pairs.size();
  }

  private Holdfast connect(int first, List<Holdfast> open) {
    Holdfast holdfast =
        Holdfast.connect(cluster.uriFrom(first) + "?holdfast.lease=4s&holdfast.order=fifo");
    open.add(holdfast);
    return holdfast;
  }

  private static long checkLoss(Pair pair, EtcdFenceGuard guard) throws Exception {
    // Which may be lost in the same way, and is not asked for more than its token.
    Hold next = pair.next.get(60, TimeUnit.SECONDS);
    Await.until("told", LONG, () -> pair.lost.get() != 0);
    assertThat(next.token()).isGreaterThan(pair.held.token());
    guard.claim(next);
    assertThatThrownBy(() -> guard.claim(pair.held)).isInstanceOf(StaleTokenException.class);
    return pair.overlap();
  }
}
