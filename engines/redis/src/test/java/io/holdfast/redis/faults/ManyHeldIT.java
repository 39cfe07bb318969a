package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.HeldHolds;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Very many locks held by one client; {@code -Dlong} for ten times as many. */
@Isolated
@Timeout(180)
class ManyHeldIT {

  private static final boolean LONG_RUN = System.getProperty("long") != null;
  private static final int HELD = LONG_RUN ? 100_000 : 10_000;
  private static final Duration LEASE = LONG_RUN ? Duration.ofSeconds(30) : Duration.ofSeconds(6);
  private static final Duration LONG = Duration.ofMinutes(2);

  @Test
  @DisplayName("all are renewed over three connections by a handful of threads")
  void renewed() throws InterruptedException {
    String options = "?holdfast.queueLimit=200000&holdfast.lease=" + LEASE.toSeconds() + "s";
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + options)) {
      holdfast.lock("first").acquire(LONG).close();
      List<Hold> holds = new ArrayList<>();
      for (int i = 0; i < HELD; i++) {
        holds.add(holdfast.lock("held/" + i).acquire(LONG));
      }
      long threads = threads();
      long renewedBefore = scripts(server);
      double cpuBefore = cpu(server);
      long start = System.nanoTime();
      Await.until("a lease", LONG, () -> System.nanoTime() - start > LEASE.toNanos());
      double seconds = (System.nanoTime() - start) / 1e9;
      Figure.print(
          "%,d held locks (lease %d s): %,.0f renewals/s, server CPU %.0f %%, %d connections, %d"
              + " threads",
          HELD,
          LEASE.toSeconds(),
          (scripts(server) - renewedBefore) / seconds,
          100 * (cpu(server) - cpuBefore) / seconds,
          connections(server),
          threads());

      HeldHolds.requireAll(holds, "locks");
      // Two lanes, signals, and watches of records.
      assertThat(connections(server)).isLessThanOrEqualTo(4);
      assertThat(threads()).isLessThanOrEqualTo(threads + 1).isLessThan(12);
      long closing = System.nanoTime();
      holdfast.close();
      StoredKeys.awaitNone(server, LONG);
      Figure.print(
          "%,d held locks: closed and store clean after %,d ms",
          HELD, (System.nanoTime() - closing) / 1_000_000);
    }
  }

  private static long connections(RedisServer server) {
    return server.call("CLIENT", "LIST").lines().filter(c -> c.contains("name=holdfast")).count();
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast"))
        .count();
  }

  /** How many scripts it has run. */
  private static long scripts(RedisServer server) {
    String calls = server.info("cmdstat_evalsha");
    return Long.parseLong(calls.substring("calls=".length(), calls.indexOf(',')));
  }

  private static double cpu(RedisServer server) {
    return Double.parseDouble(server.info("used_cpu_user"))
        + Double.parseDouble(server.info("used_cpu_sys"));
  }
}
