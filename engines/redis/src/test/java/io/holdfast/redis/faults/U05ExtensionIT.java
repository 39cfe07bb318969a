package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.MonitoredCommand;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RespConnection;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extensions to less than what is left: no end of a lease comes nearer without its holder. */
@Timeout(60)
class U05ExtensionIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Holdfast connect(int port, String order) {
    return Holdfast.connect("redis://127.0.0.1:" + port + "?holdfast.order=" + order);
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("an extension whose answer is lost lets nobody in while the holder believes")
  void answerLost(String order) throws InterruptedException {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast rival = connect(server.port(), order);
        Holdfast client = connect(proxy.port(), order)) {
      Holdfast fixed = client.with(o -> o.withFixedLease(Duration.ofSeconds(20)));
      Hold hold = fixed.lock("lost").acquire(LONG);
      proxy.apply(Direction.REPLIES, new ProxyFault.Swallow());
      assertThat(catchThrowable(() -> hold.extend(SHORT)))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(rival.lock("lost").tryAcquire(Duration.ofSeconds(4))).isEmpty();
      assertThat(hold.isHeld()).isTrue();
      Figure.print("extension to 2 s of 20 s without an answer (order %s): kept", order);
      proxy.heal();
      hold.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("an extension that comes once more after a longer one takes nothing away")
  void comesLate(String order) throws Exception {
    try (Holdfast rival = connect(server.port(), order);
        Holdfast client = connect(server.port(), order);
        RedisMonitor monitor = RedisMonitor.of(server)) {
      Holdfast fixed = client.with(o -> o.withFixedLease(SHORT));
      Hold hold = fixed.lock("late").acquire(LONG);
      hold.extend(SHORT);
      List<String> words = lastScript(monitor);
      hold.extend(Duration.ofSeconds(20));
      try (RespConnection connection = server.connect()) {
        assertThat(connection.call(words.toArray(String[]::new))).startsWith("R");
      }
      assertThat(rival.lock("late").tryAcquire(Duration.ofSeconds(4))).isEmpty();
      assertThat(hold.isHeld()).isTrue();
      hold.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("an extension to less than what is left answers what is left")
  void answersWhatIsLeft(String order) throws InterruptedException {
    try (Holdfast client = connect(server.port(), order)) {
      Holdfast fixed = client.with(o -> o.withFixedLease(Duration.ofSeconds(20)));
      try (Hold hold = fixed.lock("left").acquire(LONG)) {
        assertThat(hold.extend(SHORT)).isGreaterThan(Duration.ofSeconds(10));
        assertThat(hold.extend(Duration.ofMinutes(1))).isGreaterThan(Duration.ofSeconds(40));
      }
    }
  }

  private static List<String> lastScript(RedisMonitor monitor) {
    return monitor.commands().stream()
        .filter(command -> command.name().equals("EVALSHA") && !command.isFromScript())
        .reduce((earlier, later) -> later)
        .map(MonitoredCommand::words)
        .orElseThrow();
  }
}
