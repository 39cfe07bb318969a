package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A minority that is down or slow costs an acquire one node timeout, once. */
@Isolated
@Timeout(60)
class U37SlowMastersIT {

  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration NODE_TIMEOUT = Duration.ofMillis(50);
  private static final int ROUNDS = 200;

  /** A busy machine may take this many times as long as it should. */
  private static final int SLACK = 5;

  @Test
  @DisplayName("U37 two of five killed: an acquire takes no longer than before")
  void killed() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5)) {
      minority(masters, "killed", masters::kill9);
    }
  }

  @Test
  @DisplayName("U37 two of five frozen: one acquire takes one node timeout, the next ones none")
  void frozen() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5)) {
      minority(masters, "frozen", masters::pause);
    }
  }

  private static void minority(RedisMasters masters, String how, IntConsumer fault)
      throws Exception {
    try (Contender contender = new Contender("a", Redlocks.open(masters), LEASE)) {
      acquires(contender, ROUNDS);
      long[] before = acquires(contender, ROUNDS);
      fault.accept(1);
      fault.accept(3);
      long[] first = acquires(contender, 1);
      long[] after = acquires(contender, ROUNDS);
      Figures.print("5 of 5 up: acquire %s", Figures.spread(before));
      Figures.print("2 of 5 %s: the first acquire %.1f ms", how, Figures.millis(first[0]));
      Figures.print("2 of 5 %s: the next %d %s", how, ROUNDS, Figures.spread(after));
      assertThat(first[0]).isLessThan(SLACK * NODE_TIMEOUT.toNanos());
      // Half of them are quicker than one timeout by far: nobody waits for the dead.
      Arrays.sort(after);
      assertThat(after[ROUNDS / 2]).isLessThan(NODE_TIMEOUT.toNanos() / 2);
    }
  }

  @Test
  @DisplayName("U37 a client that starts while two of five are frozen waits for them once")
  void frozenAtTheStart() throws Exception {
    try (RedisMasters masters = Redlocks.masters(5)) {
      masters.pause(0);
      masters.pause(4);
      try (Contender contender = new Contender("a", Redlocks.open(masters), LEASE)) {
        long[] first = acquires(contender, 1);
        long[] after = acquires(contender, ROUNDS);
        Figures.print(
            "2 of 5 frozen before connecting: first acquire %.1f ms, then %s",
            Figures.millis(first[0]), Figures.spread(after));
        assertThat(first[0]).isLessThan(SLACK * 2 * NODE_TIMEOUT.toNanos());
        Arrays.sort(after);
        assertThat(after[ROUNDS / 2]).isLessThan(NODE_TIMEOUT.toNanos() / 2);
      }
    }
  }

  private static long[] acquires(Contender contender, int times) throws Exception {
    long[] nanos = new long[times];
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      Ticket ticket = contender.ticket("slow/" + i);
      contender.in(ticket);
      nanos[i] = System.nanoTime() - start;
      contender.leave(ticket);
    }
    return nanos;
  }
}
