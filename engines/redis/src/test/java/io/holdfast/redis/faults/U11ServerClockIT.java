package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A server whose wall clock is stepped. Redis counts expiry on it, so a step forward ends leases
 * early and a step back prolongs them, as the documents say; the tokens rise all the same.
 */
@Isolated
@Timeout(60)
class U11ServerClockIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("tokens rise over steps of the server's clock")
  void tokensRise() throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        RedisServer server = RedisServer.start(RedisServerOptions.PLAIN.withClock(clock))) {
      for (String order : List.of("any", "fifo")) {
        for (long seconds : List.of(60L, -60L)) {
          steps(clock, server, order, seconds);
        }
      }
    }
  }

  private static void steps(ServerClock clock, RedisServer server, String order, long seconds)
      throws Exception {
    String options = "?holdfast.lease=2s&holdfast.order=" + order;
    String name = order + seconds;
    try (Holdfast a = Holdfast.connect(server.uri() + options);
        Holdfast b = Holdfast.connect(server.uri() + options)) {
      List<Long> tokens = new ArrayList<>();
      Hold first = a.lock(name).acquire(LONG);
      tokens.add(first.token());
      CompletableFuture<Hold> waiting = b.lock(name).acquireAsync(LONG);
      clock.step(Duration.ofSeconds(seconds));
      if (seconds < 0) {
        first.close();
      }
      long start = System.nanoTime();
      Hold second = waiting.get(30, TimeUnit.SECONDS);
      long took = System.nanoTime() - start;
      tokens.add(second.token());
      clock.step(Duration.ofSeconds(-seconds));
      second.release();
      for (int i = 0; i < 20; i++) {
        try (Hold hold = (i % 2 == 0 ? a : b).lock(name).acquire(LONG)) {
          tokens.add(hold.token());
        }
      }
      assertThat(tokens).isSorted().doesNotHaveDuplicates();
      Figure.print(
          "server clock %+d s, then back (order %s): %d tokens rose; next grant after %,d ms",
          seconds, order, tokens.size(), took / 1_000_000);
    }
  }
}
