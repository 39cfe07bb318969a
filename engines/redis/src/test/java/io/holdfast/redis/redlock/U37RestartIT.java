package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Masters that come back without what they knew. */
@Isolated
@Timeout(90)
class U37RestartIT {

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("U37 a master restarted empty lets no second holder in while the first may believe")
  void restartedEmpty() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5);
        Contender a = contender("a", masters);
        Contender b = contender("b", masters)) {
      Ticket held = heldByThree(masters, a);
      long renewed = System.nanoTime();
      Await.until("renewed", LEASE, () -> a.renew(held) instanceof Renewal.Renewed);
      masters.restartEmpty(0);

      Ticket rival = b.ticket("restart");
      Await.until("the rival is in", LONG, () -> b.attempt(rival) instanceof Standing.Granted);
      long waited = System.nanoTime() - renewed;
      Figures.print(
          "restarted empty (lease %d ms): rival in %.0f ms after the holder's last renewal",
          LEASE.toMillis(), Figures.millis(waited));
      assertThat(waited).isGreaterThan(LEASE.toNanos());
    }
  }

  @Test
  @DisplayName("U37 a holder without a majority hears it, and gives back what is left")
  void holderHears() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5);
        Contender a = contender("a", masters);
        Contender b = contender("b", masters)) {
      Ticket held = heldByThree(masters, a);
      masters.restartEmpty(0);
      Await.until("the holder is told", LEASE, () -> a.renew(held) instanceof Renewal.Gone);
      Ticket rival = b.ticket("restart");
      Await.until("the rival is in", LEASE, () -> b.attempt(rival) instanceof Standing.Granted);
    }
  }

  @Test
  @DisplayName("U37 the planted fault: a master whose loss is denied lets a second holder in")
  void deniedLoss() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5);
        Contender a = contender("a", masters);
        Contender b = contender("b", masters)) {
      Ticket held = heldByThree(masters, a);
      long token = a.in(held);
      masters.restartEmpty(0);
      vouch(masters.server(0));

      Ticket rival = b.ticket("restart");
      Await.until("the rival is in", LEASE, () -> b.attempt(rival) instanceof Standing.Granted);
      assertThat(b.in(rival)).as("tokens rise even so").isGreaterThan(token);
    }
  }

  @Test
  @DisplayName("U37 masters that have just been started say that they do not vote yet, then do")
  void firstStart() throws Exception {
    try (RedisMasters masters = RedisMasters.start(3);
        Contender a = contender("a", masters)) {
      Throwable early = catchThrowable(() -> a.attempt(a.ticket("first")));
      assertThat(early)
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining(", but restarted too recently to vote");
      long start = System.nanoTime();
      Await.until("all vote", LONG, () -> a.passThrough("first") > 0);
      Figures.print(
          "first start without init (lease %d ms): first grant after %.0f ms",
          LEASE.toMillis(), Figures.millis(System.nanoTime() - start));
    }
  }

  @Test
  @DisplayName("U37 U06 tokens rise when all masters have lost all data")
  void totalLoss() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5);
        Contender a = contender("a", masters);
        Contender b = contender("b", masters)) {
      long last = a.passThrough("lost");
      for (int i = 0; i < 3; i++) {
        for (RedisServer server : masters.servers()) {
          server.restartEmpty();
        }
        Redlocks.vouch(masters);
        last = passesAbove(last, i % 2 == 0 ? b : a);
      }
      for (RedisServer server : masters.servers()) {
        server.call("FLUSHALL");
      }
      last = passesAbove(last, b);
      Figures.print(
          "4 total losses of data: every token above the one before, last ballot %d", last);
    }
  }

  private static long passesAbove(long last, Contender contender) {
    long[] next = new long[1];
    Await.until(
        "the masters are back",
        LONG,
        () -> {
          next[0] = contender.passThrough("lost");
          return true;
        });
    assertThat(next[0]).isGreaterThan(last);
    return next[0];
  }

  /** Held by masters 0 to 2 alone; 3 and 4 are up, empty, and may vote. */
  private static Ticket heldByThree(RedisMasters masters, Contender a) throws Exception {
    masters.kill9(3);
    masters.kill9(4);
    Ticket ticket = a.ticket("restart");
    a.in(ticket);
    masters.restart(3);
    masters.restart(4);
    vouch(masters.server(3));
    vouch(masters.server(4));
    return ticket;
  }

  /** Says that a process has forgotten nothing, as init does. */
  private static void vouch(RedisServer server) {
    server.call("SET", "{hf:redlock}:new", server.runId());
  }

  private static Contender contender(String name, RedisMasters masters) throws EngineException {
    RedisOptions options = Redlocks.options(masters).withNodeTimeout(Duration.ofMillis(200));
    return new Contender(name, Redlocks.open(options, LEASE), LEASE);
  }
}
