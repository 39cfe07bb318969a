package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.redis.Engines;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Clocks that are wrong: those of clients do no harm, those of masters only to themselves. */
@Isolated
@Timeout(60)
class U37ClocksIT {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final long MICROS_A_TICK = 64;
  private static final long SLACK_TICKS = TimeUnit.SECONDS.toMicros(61) / MICROS_A_TICK;

  @Test
  @DisplayName("U37 clients a day behind and a day ahead: tokens rise, and stay within a minute")
  void clients() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5);
        Contender behind = contender("behind", masters, Duration.ofDays(-1));
        Contender ahead = contender("ahead", masters, Duration.ofDays(1));
        Contender right = contender("right", masters, Duration.ZERO)) {
      long last = 0;
      for (int i = 0; i < 300; i++) {
        Contender next = i % 3 == 0 ? ahead : i % 3 == 1 ? behind : right;
        long ballot = next.passThrough("clocks");
        assertThat(ballot).as("ballot %d", i).isGreaterThan(last);
        assertThat(ballot).as("ballot %d", i).isLessThan(ticksNow() + SLACK_TICKS);
        last = ballot;
      }
      Figures.print(
          "clients a day behind, a day ahead and right took turns 300 times: last ballot %d s ahead",
          (last - ticksNow()) * MICROS_A_TICK / 1_000_000);
    }
  }

  @Test
  @DisplayName("U37 two masters an hour off the others: the other three grant, tokens rise")
  void masters() throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        RedisMasters wrong =
            RedisMasters.start(
                2, io.holdfast.rig.servers.RedisServerOptions.PLAIN.withClock(clock));
        RedisMasters right = RedisMasters.start(3)) {
      clock.step(Duration.ofHours(1));
      RedisOptions options =
          RedisOptions.of("redlock://" + wrong.addresses() + "," + right.addresses());
      io.holdfast.redis.RedlockEngine.init(options);
      try (Contender a = new Contender("a", Redlocks.open(options), LEASE);
          Contender b = new Contender("b", Redlocks.open(options), LEASE)) {
        long last = 0;
        for (int i = 0; i < 50; i++) {
          long ballot = (i % 2 == 0 ? a : b).passThrough("clocks");
          assertThat(ballot).isGreaterThan(last).isLessThan(ticksNow() + SLACK_TICKS);
          last = ballot;
        }
        right.kill9(0);
        Await.until(
            "no majority agrees on the time",
            LONG,
            () -> {
              try {
                a.passThrough("clocks");
                return false;
              } catch (EngineException e) {
                Figures.print("no majority with one clock: %s", e.getMessage());
                return String.valueOf(e.getMessage()).contains("is free for ballots above");
              }
            });
      }
    }
  }

  private static long ticksNow() {
    return Engines.settings().epochMicros().getAsLong() / MICROS_A_TICK;
  }

  private static Contender contender(String name, RedisMasters masters, Duration off)
      throws EngineException {
    LongSupplier clock = Engines.settings().epochMicros();
    long micros = TimeUnit.SECONDS.toMicros(off.toSeconds());
    return new Contender(
        name, Redlocks.open(Redlocks.options(masters), () -> clock.getAsLong() + micros), LEASE);
  }
}
