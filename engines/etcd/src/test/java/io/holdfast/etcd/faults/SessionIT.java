package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What can happen to a client's lease, its keys and its streams while the server is well. */
@Isolated
@Timeout(120)
class SessionIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static EtcdServer server;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Holdfast connect(String order) {
    return Holdfast.connect(server.uri() + "?holdfast.lease=2s&holdfast.order=" + order);
  }

  @Test
  @DisplayName("U28: a lease ends while its client is alive: holds are lost, waiters join again")
  void leaseEnds() throws Exception {
    try (Holdfast holder = connect("fifo");
        Holdfast waiter = connect("fifo")) {
      Hold hold = holder.lock("ended").acquire(LONG);
      CompletableFuture<Hold> waiting = waiter.lock("ended").acquireAsync(LONG);
      Lines.await(server, "ended", 2);
      String first = Lines.first(server, "ended");
      String second =
          Lines.tickets(server, "ended").stream()
              .filter(key -> !key.equals(first))
              .findFirst()
              .orElseThrow();
      server.endLeaseOf(second);
      long revoked = System.nanoTime();
      server.endLeaseOf(first);
      Await.until("the loss", LONG, () -> hold.loss().isPresent());
      Figure.since(revoked, Duration.ofSeconds(1), "lease revoked by hand: loss told");
      assertThat(hold.loss().orElseThrow().cause()).isIn(Loss.Cause.SESSION_OVER, Loss.Cause.TAKEN);
      // Its own lease was revoked too: what it gets is a place of its own, made after that.
      Hold next = waiting.get(30, TimeUnit.SECONDS);
      assertThat(next.token()).isGreaterThan(hold.token());
      assertThat(Lines.tickets(server, "ended")).hasSize(1);
      next.ensureHeld();
      next.close();
      holder.lock("ended").acquire(LONG).close();
    }
  }

  @Test
  @DisplayName("a key that is deleted by hand: that hold alone is lost")
  void keyDeleted() throws Exception {
    try (Holdfast holdfast = connect("any")) {
      Hold kept = holdfast.lock("kept").acquire(LONG);
      Hold lost = holdfast.lock("deleted").acquire(LONG);
      long deleted = System.nanoTime();
      server.delete(Lines.tickets(server, "deleted").get(0));
      Await.until("the loss", LONG, () -> lost.loss().isPresent());
      Figure.since(deleted, Duration.ofSeconds(1), "key deleted by hand: loss told");
      assertThat(lost.loss().map(Loss::cause)).contains(Loss.Cause.TAKEN);
      long from = System.nanoTime();
      Await.until("a lease", LONG, () -> System.nanoTime() - from > LEASE.toNanos());
      kept.ensureHeld();
      kept.close();
    }
  }

  @Test
  @DisplayName("connections that are reset cost no hold, and no waiter its turn")
  void streamsCut() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast holder = connect("fifo");
        Holdfast waiter =
            Holdfast.connect(
                "etcd://127.0.0.1:" + proxy.port() + "?holdfast.lease=2s&holdfast.order=fifo")) {
      Hold own = waiter.lock("own").acquire(LONG);
      Hold hold = holder.lock("cut").acquire(LONG);
      CompletableFuture<Hold> waiting = waiter.lock("cut").acquireAsync(LONG);
      Lines.await(server, "cut", 2);
      for (int i = 0; i < 5; i++) {
        proxy.reset();
        long from = System.nanoTime();
        Await.until("half a lease", LONG, () -> System.nanoTime() - from > LEASE.toNanos() / 2);
      }
      own.ensureHeld();
      proxy.reset();
      long released = System.nanoTime();
      hold.close();
      waiting.get(30, TimeUnit.SECONDS).close();
      Figure.since(released, Duration.ofSeconds(1), "watch and calls cut at the release: next in");
      own.close();
    }
  }

  /**
   * No watch is cancelled by it: each begins at the revision of now, and only one that asks for
   * history can find it compacted. What a cancelled watch does is in {@code StreamsTest}.
   */
  @Test
  @DisplayName("compacting the history costs no waiter its place or its signal")
  void compacted() throws Exception {
    try (Holdfast holder = connect("fifo");
        Holdfast second = connect("fifo");
        Holdfast third = connect("fifo")) {
      Hold hold = holder.lock("compacted").acquire(LONG);
      CompletableFuture<Hold> next = second.lock("compacted").acquireAsync(LONG);
      Lines.await(server, "compacted", 2);
      CompletableFuture<Hold> last = third.lock("compacted").acquireAsync(LONG);
      Lines.await(server, "compacted", 3);
      for (int i = 0; i < 20; i++) {
        holder.lock("noise").acquire(LONG).close();
        server.compact();
      }
      long released = System.nanoTime();
      hold.close();
      Hold in = next.get(30, TimeUnit.SECONDS);
      Figure.since(released, Duration.ofMillis(50), "compaction under waiters: next in");
      assertThat(last).isNotDone();
      long passedOn = System.nanoTime();
      in.close();
      last.get(30, TimeUnit.SECONDS).close();
      Figure.since(passedOn, Duration.ofMillis(50), "compaction under waiters: last in");
      assertThat(signals(second)).as("signals that woke the next").isPositive();
      assertThat(signals(third)).as("signals that woke the last").isPositive();
      assertThat(lost(second) + lost(third)).as("signals that were lost").isZero();
    }
  }

  private static long signals(Holdfast holdfast) {
    return holdfast.health().counters().getOrDefault("signals.rung", 0L);
  }

  private static long lost(Holdfast holdfast) {
    return holdfast.health().counters().getOrDefault("signals.lost", 0L);
  }

  @Test
  @DisplayName("U27: a lease that is over is never mistaken for its successor")
  void neverTheOldPlace() throws Exception {
    try (Holdfast holdfast = connect("any")) {
      long before = 0;
      for (int i = 0; i < 3; i++) {
        Hold hold = holdfast.lock("places").acquire(LONG);
        assertThat(hold.token()).isGreaterThan(before);
        before = hold.token();
        server.endLeaseOf(Lines.first(server, "places"));
        Await.until("the loss", LONG, () -> hold.loss().isPresent());
      }
      Lines.awaitNone(server, LONG);
    }
  }

  @Test
  @DisplayName("etcdctl shows who holds and who waits")
  void shown() throws Exception {
    try (Holdfast holder = connect("fifo");
        Holdfast waiter = connect("fifo")) {
      Hold hold = holder.lock("orders/42").acquire(LONG);
      CompletableFuture<Hold> waiting = waiter.lock("orders/42").acquireAsync(LONG);
      Lines.await(server, "orders/42", 2);
      String shown =
          server.ctl("get", "--prefix", "holdfast/line/default/orders/42", "--sort-by=CREATE");
      assertThat(shown.lines().toList()).hasSize(4);
      assertThat(shown).contains(Long.toString(ProcessHandle.current().pid()));
      hold.close();
      waiting.get(30, TimeUnit.SECONDS).close();
    }
  }

  @Test
  @DisplayName("a client that is closed leaves no lease behind")
  void closed() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      try (Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=20s");
          Hold held = holdfast.lock("held").acquire(LONG)) {
        assertThat(held.isHeld()).isTrue();
        assertThat(leases(server)).isOne();
      }
      assertThat(leases(server)).isZero();
    }
  }

  private static long leases(EtcdServer server) {
    return server.ctl("lease", "list").lines().filter(line -> !line.contains("found")).count();
  }

  @Test
  @DisplayName("a hold that was extended for another time is still its own: it can be downgraded")
  void extendedAndDowngraded() throws Exception {
    try (Holdfast holdfast =
            Holdfast.connect(
                server.uri(), HoldfastOptions.DEFAULTS.withFixedLease(Duration.ofSeconds(4)));
        Hold hold = holdfast.readWriteLock("longer").writeLock().acquire(LONG)) {
      assertThat(hold.extend(Duration.ofSeconds(20))).isGreaterThan(Duration.ofSeconds(8));
      Hold reader = holdfast.readWriteLock("longer").downgrade(hold);
      reader.ensureHeld();
      assertThat(reader.token()).isEqualTo(hold.token());
      reader.close();
      assertThat(Lines.tickets(server, "longer")).isEmpty();
    }
  }
}
