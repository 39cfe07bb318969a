package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.MonitoredCommand;
import io.holdfast.rig.RedisMonitor;
import io.holdfast.rig.RedisServer;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Renewals by what the server hears: none after a release, and some for the next hold. */
@Isolated
@Timeout(60)
class U05RenewalEndsIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final int HOLDS = 40;
  private static final Pattern TICKET = Pattern.compile("[0-9a-f]{32}-[0-9a-f]+");

  @Test
  @DisplayName("after release() has returned, nothing of that ticket is sent any more")
  void noneAfterRelease() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        RedisMonitor monitor = RedisMonitor.of(server)) {
      List<Hold> holds = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < HOLDS; i++) {
        Order order = i % 2 == 0 ? Order.ANY : Order.FIFO;
        holds.add(holdfast.with(o -> o.withOrder(order)).lock("n" + i).acquire(LONG));
      }
      // They are released around the time of their first renewals: at 600 to 733 ms.
      Map<String, Integer> sentAtRelease = new HashMap<>();
      for (int i = 0; i < HOLDS; i++) {
        long at = start + 580_000_000L + i * 4_500_000L;
        Await.until("its turn", LONG, () -> System.nanoTime() - at >= 0);
        holds.get(i).close();
        if (i % 10 == 9) {
          count(monitor.commands(), sentAtRelease);
        }
      }
      count(monitor.commands(), sentAtRelease);
      Await.until("two more", LONG, () -> System.nanoTime() - start > LEASE.toNanos());
      Map<String, Integer> sentInAll = new HashMap<>();
      count(monitor.commands(), sentInAll);

      assertThat(sentInAll).hasSize(HOLDS).isEqualTo(sentAtRelease);
      long renewed = sentInAll.values().stream().filter(sent -> sent > 2).count();
      Figure.print(
          "%d holds released around their first renewal: %d had been renewed, none was after it",
          HOLDS, renewed);
    }
  }

  @Test
  @DisplayName("a later acquire of the same name is renewed")
  void renewedAgain() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        RedisMonitor monitor = RedisMonitor.of(server)) {
      holdfast.lock("x").acquire(LONG).close();
      monitor.clear();
      Hold hold = holdfast.lock("x").acquire(LONG);
      long start = System.nanoTime();
      Await.until("more than a lease", LONG, () -> System.nanoTime() - start > 2_200_000_000L);
      assertThat(hold.isHeld()).isTrue();
      Map<String, Integer> sent = new HashMap<>();
      count(monitor.commands(), sent);
      assertThat(sent).hasSize(1);
      assertThat(sent.values().iterator().next()).isGreaterThanOrEqualTo(3);
      hold.close();
      Figure.print(
          "second hold of a name: %s commands in 2.2 s (lease 2 s), still held", sent.values());
    }
  }

  /** How many scripts were sent for each ticket; those that the server did not know count too. */
  private static void count(List<MonitoredCommand> commands, Map<String, Integer> sent) {
    sent.clear();
    for (MonitoredCommand command : commands) {
      if (command.name().equals("EVALSHA") && !command.isFromScript()) {
        for (String word : command.words()) {
          Matcher ticket = TICKET.matcher(word);
          if (ticket.matches()) {
            sent.merge(word, 1, Integer::sum);
          }
        }
      }
    }
  }
}
