package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.scenarios.HandOverScenario;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a waiter is in after a release, with signals and without. */
@Isolated
@Timeout(60)
class U14WakeUpIT {

  private static final HandOverScenario OFTEN = new HandOverScenario(1, 300, Duration.ofMillis(5));
  private static final HandOverScenario LONG_WAITS =
      new HandOverScenario(8, 2, Duration.ofSeconds(1));
  private static final Duration BOUND = Duration.ofMillis(50);
  // Whoever releases may not publish; the subscriptions of those who wait are as they should be.
  private static final RedisServerOptions MUTE =
      RedisServerOptions.PLAIN.withUser("mute", "secret", "~*", "&*", "+@all", "-publish");
  private static RedisServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = RedisServer.start(MUTE);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("with signals a waiter is in within 50 ms of the release, at the 99th percentile")
  void signalled(String order) throws Exception {
    WakeUps wakeUps = handOver("?holdfast.order=" + order, OFTEN);
    Figure.print("signals, order %s: %s (bound p99 50 ms)", order, wakeUps);
    // On a busy machine the waiter comes after the release, now and then.
    wakeUps.within(Duration.ofMillis(Figure.SLACK * 1_000)).requireClean(240);
    wakeUps.requireP99(BOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = "any")
  @DisplayName("with signals switched off a waiter is in within a second")
  void switchedOff(String order) throws Exception {
    WakeUps wakeUps = handOver("?signals=off&holdfast.order=" + order, LONG_WAITS);
    Figure.print("no signals, order %s: %s (bound 1 s)", order, wakeUps);
    wakeUps.within(Duration.ofSeconds(Figure.SLACK)).requireClean(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("with every signal lost a waiter is in within a second")
  void lost(String order) throws Exception {
    server.call("CONFIG", "RESETSTAT");
    String uri = server.uri().replace("://", "://mute:secret@");
    WakeUps wakeUps = LONG_WAITS.play(folder, uri + "?holdfast.order=" + order);
    Figure.print("no message is published, order %s: %s (bound 1 s)", order, wakeUps);
    wakeUps.within(Duration.ofSeconds(Figure.SLACK)).requireClean(10);
    assertThat(server.info("cmdstat_publish"))
        .startsWith("calls=0,")
        .doesNotContain("rejected_calls=0,");
    // Both clients listened all the time, each to its own channel and to that of changes: listening
    // anew would have woken those who wait.
    assertThat(server.info("cmdstat_subscribe")).matches("calls=[234],.*");
  }

  @ParameterizedTest
  @ValueSource(strings = "fifo")
  @DisplayName("with a subscription that is cut all the time a waiter is in within a second")
  void cut(String order) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread nemesis =
        new Thread(
            () -> {
              while (!stop.get()) {
                server.call("CLIENT", "KILL", "TYPE", "pubsub");
              }
            });
    nemesis.start();
    try {
      WakeUps wakeUps = handOver("?holdfast.order=" + order, LONG_WAITS);
      Figure.print("CLIENT KILL TYPE pubsub in a loop, order %s: %s (bound 1 s)", order, wakeUps);
      wakeUps.within(Duration.ofSeconds(Figure.SLACK)).requireClean(10);
    } finally {
      stop.set(true);
      nemesis.join();
    }
  }

  private WakeUps handOver(String options, HandOverScenario how) throws Exception {
    return how.play(folder, server.uri() + options);
  }
}
