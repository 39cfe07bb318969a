package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The very bytes of an attempt, once more, when its caller has long given up and left. */
@Isolated
@Timeout(60)
class U04LateAttemptIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("an attempt that arrives after its leave does not join")
  void doesNotJoin(String order) throws Exception {
    String options = "?holdfast.lease=20s&holdfast.order=" + order;
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast rival = Holdfast.connect(server.uri() + options);
        Holdfast client = Holdfast.connect("redis://127.0.0.1:" + proxy.port() + options)) {
      client.lock("x").acquire(LONG).close();
      try (RedisMonitor monitor = RedisMonitor.of(server)) {
        proxy.apply(Direction.REPLIES, new ProxyFault.Swallow());
        Throwable end = catchThrowable(() -> client.lock("x").acquire(Duration.ofMillis(300)));
        assertThat(end).isInstanceOf(OutcomeUnknownException.class);
        MonitoredCommand attempt = monitor.await("the attempt", LONG, U04LateAttemptIT::isScript);
        proxy.heal();
        StoredKeys.awaitNoLocks(server, Duration.ofSeconds(5));

        replay(server, attempt.words());
        assertThat(StoredKeys.ofLocks(server)).isEmpty();
        try (Hold next = rival.lock("x").acquire(Duration.ofSeconds(1))) {
          replay(server, attempt.words());
          assertThat(next.isHeld()).isTrue();
        }
        assertThat(StoredKeys.ofLocks(server)).isEmpty();
        Figure.print("attempt replayed twice after its leave (order %s): did not join", order);
      }
    }
  }

  private static boolean isScript(MonitoredCommand command) {
    return command.name().equals("EVALSHA") && !command.isFromScript();
  }

  private static void replay(RedisServer server, List<String> words) throws Exception {
    try (RespConnection connection = server.connect()) {
      assertThat(connection.call(words.toArray(String[]::new))).startsWith("X");
    }
  }
}
