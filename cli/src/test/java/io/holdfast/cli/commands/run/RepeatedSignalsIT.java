package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.StoreObserver;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A terminal that is closed sends HUP twice, and supervisors repeat signals. */
@Timeout(120)
@DisplayName("Signals that come again and again:")
class RepeatedSignalsIT {

  private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(500);

  @TempDir Path folder;

  @Test
  @DisplayName("KILL comes at the grace after the first, and the lock is free then")
  void deaf() {
    String script =
        "trap '' TERM; echo >'" + folder.resolve("up") + "'; while :; do sleep 0.1; done";
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    try (CliProcess run =
        setup.start("run", "job", "--lease", "30s", "--grace", "2s", "--", "sh", "-c", script)) {
      run.awaitLineIn(folder.resolve("up"));
      long start = System.nanoTime();
      AtomicLong next = new AtomicLong(start);
      Await.until(
          "the end",
          Duration.ofSeconds(30),
          () -> {
            if (System.nanoTime() - next.get() >= 0) {
              next.addAndGet(EVERY);
              run.signal("TERM");
            }
            return !run.isRunning();
          });
      assertThat(run.awaitExit()).as(run.err()).isEqualTo(137);
      assertThat(System.nanoTime() - start).isGreaterThan(1_900_000_000L);
      Figure.since(start, Duration.ofMillis(2500), "KILL after a grace of 2 s, TERM all along");
    }
    CliProcess next = setup.run("run", "job", "--wait", "8s", "--", "true");
    assertThat(next.awaitExit()).as(next.err()).isZero();
  }

  @Test
  @DisplayName("two at once while it waits: it leaves the line all the same")
  void leaves() throws Exception {
    try (EngineWithServer.Store store = EngineWithServer.REDIS.start(folder);
        StoreObserver onlooker = new StoreObserver(store);
        FaultProxy proxy = FaultProxy.to(store.servers().get(0));
        CliProcess holder = start(store.uri(), "sleep", "600")) {
      holder.awaitWhileRunning("a holder", () -> onlooker.holders("job") == 1);
      try (CliProcess waiter = start(store.uri(proxy.port()), "true")) {
        waiter.awaitWhileRunning("a waiter", () -> onlooker.waiters("job") == 1);
        // So that it is still on its way out when the second one comes.
        proxy.delay(Duration.ofMillis(300), Duration.ZERO, 1);
        waiter.signal("HUP");
        long first = System.nanoTime();
        Await.until("50 ms", CliProcess.LONG, () -> System.nanoTime() - first > 50_000_000);
        waiter.signal("HUP");
        assertThat(waiter.awaitExit()).as(waiter.err()).isEqualTo(129);
        assertThat(onlooker.waiters("job")).isZero();
      }
    }
  }

  private CliProcess start(String uri, String... command) {
    String[] line = {"run", "job", "--fifo", "--lease", "30s", "--"};
    return CliProcess.Setup.in(folder)
        .at(uri)
        .start(Stream.of(line, command).flatMap(Stream::of).toArray(String[]::new));
  }
}
