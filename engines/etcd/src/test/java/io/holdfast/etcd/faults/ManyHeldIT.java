package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Very many locks held by one client, on one lease. */
@Isolated
@Timeout(180)
class ManyHeldIT {

  private static final int HELD = 10_000;
  private static final int BATCH = 100;
  private static final int SOME = 10;
  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  @DisplayName("all hang on one lease, and are renewed by few requests")
  void renewed() throws Exception {
    String options = "?holdfast.queueLimit=200000&holdfast.lease=" + LEASE.toSeconds() + "s";
    try (EtcdServer server = EtcdServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + options)) {
      List<CompletableFuture<Hold>> acquiring = new ArrayList<>();
      for (int i = 0; i < HELD; i++) {
        acquiring.add(holdfast.lock("held/" + i).acquireAsync(LONG));
      }
      List<Hold> holds = acquiring.stream().map(CompletableFuture::join).toList();
      double leases = server.ctl("lease", "list").lines().filter(l -> !l.contains("found")).count();
      double calls = calls(server);
      long start = System.nanoTime();
      Await.until("a lease", LONG, () -> System.nanoTime() - start > LEASE.toNanos());
      double seconds = (System.nanoTime() - start) / 1e9;
      double sent = calls(server) - calls;
      Figure.print(
          "%,d held locks (lease %d s): %.0f leases, %.1f requests/s",
          HELD, LEASE.toSeconds(), leases, sent / seconds);
      assertThat(holds).allMatch(Hold::isHeld);
      assertThat(leases).isOne();
      assertThat(sent / seconds).isLessThan(most());
      long closing = System.nanoTime();
      holdfast.close();
      Lines.awaitNone(server, LONG);
      Figure.print(
          "%,d held locks: closed and store clean after %,d ms",
          HELD, (System.nanoTime() - closing) / 1_000_000);
    }
  }

  /**
   * What 10,000 renewals cost a second: each third of a lease a hundredth as many requests. Half as
   * many again, because renewals come early rather than late and not all batches are full; and some
   * that keep the lease.
   */
  private static double most() {
    double thirds = 3.0 / LEASE.toSeconds();
    return thirds * (1.5 * HELD / BATCH + SOME);
  }

  private static double calls(EtcdServer server) {
    return server.metric("grpc_server_started_total");
  }
}
