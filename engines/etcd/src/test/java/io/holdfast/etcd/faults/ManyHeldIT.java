package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Very many locks held by one client, on one lease. */
@Isolated
@Timeout(180)
class ManyHeldIT {

  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration LONG = Duration.ofMinutes(2);

  @ParameterizedTest
  @ValueSource(ints = {10, 5_000, 10_000})
  @DisplayName("all share one lease, and their requests do not grow with their number")
  void renewed(int held) throws Exception {
    String options = "?holdfast.queueLimit=200000&holdfast.lease=" + LEASE.toSeconds() + "s";
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + options)) {
      List<Hold> holds = acquire(holdfast, held);
      double leases = server.ctl("lease", "list").lines().filter(l -> !l.contains("found")).count();
      Await.until("all are watched", LONG, () -> watched(holdfast) >= held);
      // The look of one whose watch began while others came to be held counts from its next one.
      pass(LEASE.dividedBy(2));
      double before = requests(server);
      double rate = (pass(LEASE, server) - before) / LEASE.toSeconds();
      Figure.print(
          "%,d held locks (lease %d s): %.0f leases, %.1f requests/s",
          held, LEASE.toSeconds(), leases, rate);
      assertThat(holds.stream().flatMap(hold -> hold.loss().stream()).distinct()).isEmpty();
      HeldHolds.requireAll(holds, "locks");
      assertThat(leases).isOne();
      assertThat(rate).isLessThan(most());
      close(server, holdfast, held);
    }
  }

  private static List<Hold> acquire(Holdfast holdfast, int held) {
    List<CompletableFuture<Hold>> acquiring = new ArrayList<>();
    for (int i = 0; i < held; i++) {
      acquiring.add(holdfast.lock("held/" + i).acquireAsync(LONG));
    }
    return acquiring.stream().map(CompletableFuture::join).toList();
  }

  private static void close(EtcdServer server, Holdfast holdfast, int held) {
    long closing = System.nanoTime();
    holdfast.close();
    Lines.awaitNone(server, LONG);
    Figure.print(
        "%,d held locks: closed and store clean after %,d ms",
        held, (System.nanoTime() - closing) / 1_000_000);
    Await.until("no watches", LONG, () -> server.metric("etcd_debugging_mvcc_watcher_total") == 0);
  }

  /**
   * A lease is kept and confirmed once in a sixth of its time, which is two requests; five times as
   * many on a busy machine.
   */
  private static double most() {
    return 2.0 * Figure.SLACK * 6 / LEASE.toSeconds();
  }

  private static void pass(Duration time) {
    long start = System.nanoTime();
    Await.until("a while", LONG, () -> System.nanoTime() - start > time.toNanos());
  }

  /** What the server was asked when that time has passed. */
  private static double pass(Duration time, EtcdServer server) {
    pass(time);
    return requests(server);
  }

  /** Calls and what was said over streams: each is a message. */
  private static double requests(EtcdServer server) {
    return server.metric("grpc_server_msg_received_total");
  }

  private static long watched(Holdfast holdfast) {
    return holdfast.health().counters().getOrDefault("signals.holds", 0L);
  }
}
