package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.MonitoredCommand;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal that arrives when another has had the lock and gone. */
@Isolated
@Timeout(60)
class U09LateRenewalIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Set<String> WRITES = Set.of("SET", "HSET", "ZADD", "PEXPIRE");

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("a renewal that comes too late changes nothing, and its holder is told once")
  void changesNothing(String order) throws InterruptedException {
    String options = "?holdfast.lease=2s&holdfast.order=" + order;
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast a = Holdfast.connect("redis://127.0.0.1:" + proxy.port() + options);
        Holdfast b = Holdfast.connect(server.uri() + options)) {
      Hold hold;
      String renewal;
      String key;
      try (RedisMonitor monitor = RedisMonitor.of(server)) {
        hold = a.lock("x").acquire(LONG);
        key = StoredKeys.ofLock(server, "x");
        monitor.clear();
        // While it is just held, renewals are all that is sent.
        renewal = monitor.await("a renewal", LONG, c -> isScript(c, key)).words().get(1);
      }
      Queue<Long> told = new ConcurrentLinkedQueue<>();
      hold.onLoss(loss -> told.add(System.nanoTime()));
      proxy.apply(Direction.REQUESTS, new ProxyFault.Hold());

      Hold rival = b.lock("x").acquire(LONG);
      assertThat(hold.isHeld()).isFalse();
      assertThat(rival.token()).isGreaterThan(hold.token());
      rival.close();
      try (RedisMonitor monitor = RedisMonitor.of(server)) {
        proxy.heal();
        monitor.await(
            "a late renewal", LONG, c -> isScript(c, key) && c.words().get(1).equals(renewal));
        long arrived = System.nanoTime();
        Await.until("half a second", LONG, () -> System.nanoTime() - arrived > 500_000_000L);
        List<String> late =
            monitor.commands().stream()
                .filter(c -> isScript(c, key))
                .map(c -> c.words().get(1))
                .toList();
        // Our leave follows and would take out what a renewal has brought back: look at each write.
        assertThat(monitor.commands())
            .filteredOn(c -> c.isFromScript() && WRITES.contains(c.name()))
            .noneMatch(c -> c.words().get(1).endsWith(":default:x"));
        Figure.print(
            "%d late renewals among %d late scripts of a lost hold (order %s): store empty",
            Collections.frequency(late, renewal), late.size(), order);
      }

      assertThat(StoredKeys.ofLocks(server)).isEmpty();
      assertThat(told).hasSize(1);
      assertThat(hold.isHeld()).isFalse();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      assertThat(told).hasSize(1);
    }
  }

  private static boolean isScript(MonitoredCommand command, String key) {
    return command.name().equals("EVALSHA")
        && !command.isFromScript()
        && command.words().contains(key);
  }
}
