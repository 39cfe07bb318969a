package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.MonitoredCommand;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        Holdfast any = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        RedisMonitor monitor = RedisMonitor.of(server)) {
      Holdfast fifo = any.with(o -> o.withOrder(Order.FIFO));
      List<String> leaves = List.of(lastScript(any, monitor), lastScript(fifo, monitor));
      monitor.clear();
      List<Hold> holds = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < HOLDS; i++) {
        holds.add((i % 2 == 0 ? any : fifo).lock("n" + i).acquire(LONG));
      }
      // They are released around the time of their first renewals: at 600 to 733 ms.
      for (int i = 0; i < HOLDS; i++) {
        long at = start + 580_000_000L + i * 4_500_000L;
        Await.until("its turn", LONG, () -> System.nanoTime() - at >= 0);
        holds.get(i).close();
      }
      Await.until("a lease", LONG, () -> System.nanoTime() - start > LEASE.toNanos());

      // A release returns when its leave is answered, so whatever comes later stands behind it.
      Map<String, List<String>> sent = scripts(monitor.commands());
      assertThat(sent).hasSize(HOLDS);
      for (List<String> scripts : sent.values()) {
        assertThat(leaves).contains(scripts.get(scripts.size() - 1));
        assertThat(scripts.stream().filter(leaves::contains)).hasSize(1);
      }
      long renewed = sent.values().stream().filter(scripts -> scripts.size() > 2).count();
      assertThat(renewed).isPositive();
      Figure.print(
          "%d holds released around their first renewal: %d had been renewed, none after its leave",
          HOLDS, renewed);
    }
  }

  /** The script of a leave: the last one of a hold that was given back at once. */
  private static String lastScript(Holdfast holdfast, RedisMonitor monitor)
      throws InterruptedException {
    monitor.clear();
    holdfast.lock("first").acquire(LONG).close();
    List<String> scripts = scripts(monitor.commands()).values().iterator().next();
    return scripts.get(scripts.size() - 1);
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
      Map<String, List<String>> sent = scripts(monitor.commands());
      assertThat(sent).hasSize(1);
      int commands = sent.values().iterator().next().size();
      assertThat(commands).isGreaterThanOrEqualTo(3);
      hold.close();
      Figure.print("second hold of a name: %d commands in 2.2 s (lease 2 s), still held", commands);
    }
  }

  /** The scripts that were sent for each ticket, in the order of the server. */
  private static Map<String, List<String>> scripts(List<MonitoredCommand> commands) {
    Map<String, List<String>> sent = new HashMap<>();
    for (MonitoredCommand command : commands) {
      if (command.name().equals("EVALSHA") && !command.isFromScript()) {
        for (String word : command.words()) {
          if (TICKET.matcher(word).matches()) {
            sent.computeIfAbsent(word, ticket -> new ArrayList<>()).add(command.words().get(1));
          }
        }
      }
    }
    return sent;
  }
}
