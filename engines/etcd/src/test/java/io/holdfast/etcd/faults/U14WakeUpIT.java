package io.holdfast.etcd.faults;

import io.holdfast.Holdfast;
import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.scenarios.HandOverScenario;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a waiter is in after a release, with watches and with connections that break. */
@Isolated
@Timeout(120)
class U14WakeUpIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final HandOverScenario OFTEN = new HandOverScenario(1, 150, Duration.ofMillis(5));
  private static final HandOverScenario LONG_WAITS =
      new HandOverScenario(4, 2, Duration.ofSeconds(1));
  private static final Duration BOUND = Duration.ofMillis(50);
  private static EtcdServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("with signals a waiter is in within 50 ms of the release, at the 99th percentile")
  void signalled(String order) throws Exception {
    WakeUps wakeUps = OFTEN.play(folder, server.uri() + "?holdfast.order=" + order);
    Figure.print("signals, order %s: %s (bound p99 50 ms)", order, wakeUps);
    // On a busy machine the waiter comes after the release, now and then.
    wakeUps.within(Duration.ofMillis(Figure.SLACK * 1_000)).requireClean(120);
    wakeUps.requireP99(BOUND);
  }

  @Test
  @DisplayName("a waiter is in as soon while other clients write all the time")
  void besideOthers() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Thread others = new Thread(() -> writeAllTheTime(stop));
    others.start();
    try {
      WakeUps wakeUps = OFTEN.play(folder, server.uri() + "?holdfast.order=fifo");
      Figure.print("signals beside a busy client: %s (bound p99 50 ms)", wakeUps);
      // A server serves watches that begin in the past ten times a second, which shows here.
      wakeUps.requireP99(BOUND);
    } finally {
      stop.set(true);
      others.join();
    }
  }

  private static void writeAllTheTime(AtomicBoolean stop) {
    try (Holdfast busy = Holdfast.connect(server.uri())) {
      while (!stop.get()) {
        busy.lock("other").acquire(LONG).close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("with every watch lost a waiter is in within a second")
  void lost() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process())) {
      AtomicBoolean stop = new AtomicBoolean();
      Thread nemesis = new Thread(() -> cutAgainAndAgain(proxy, stop));
      nemesis.start();
      try {
        String uri = "etcd://127.0.0.1:" + proxy.port() + "?holdfast.order=fifo";
        WakeUps wakeUps = LONG_WAITS.play(folder, uri);
        Figure.print("connections reset every 300 ms: %s (bound 1 s)", wakeUps);
        wakeUps.within(Duration.ofSeconds(Figure.SLACK)).requireClean(4);
      } finally {
        stop.set(true);
        nemesis.join();
      }
    }
  }

  private static void cutAgainAndAgain(FaultProxy proxy, AtomicBoolean stop) {
    while (!stop.get()) {
      proxy.reset();
      long from = System.nanoTime();
      Await.until("a while", LONG, () -> System.nanoTime() - from > 300_000_000L);
    }
  }
}
