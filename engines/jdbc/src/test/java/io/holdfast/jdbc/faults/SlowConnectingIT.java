package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Connecting that takes longer than an operation may. */
@Timeout(120)
class SlowConnectingIT {

  private static final int CLIENTS = 64;
  private static final Duration WAIT = Duration.ofSeconds(15);

  @ParameterizedTest
  @CsvSource({"POSTGRESQL, 400", "MARIADB, 400"})
  @DisplayName("succeeds: what was begun goes on, and is not begun again and again")
  void slow(Server.Kind kind, int delayMillis) throws Exception {
    try (Server server = kind.start();
        Holdfast first = Holdfast.connect(server.url());
        FaultProxy proxy = FaultProxy.to(server.process())) {
      first.lock("tables").acquire(WAIT).release();
      proxy.delay(Duration.ofMillis(delayMillis), Duration.ZERO, 1);
      long start = System.nanoTime();
      try (Holdfast slow = Holdfast.connect(server.url(proxy.port()));
          Hold hold = slow.lock("x").acquire(Duration.ofSeconds(40))) {
        Figure.since(start, WAIT, kind + ", trips of " + 2 * delayMillis + " ms: first grant");
        assertThat(hold.isHeld()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("64 clients that start at once all get their locks")
  void crowd(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      List<CompletableFuture<Holdfast>> clients = new ArrayList<>();
      try {
        allGetIn(kind, server, clients);
      } finally {
        // Before the server stops: each of them would wait for it to reply to its release.
        for (CompletableFuture<Holdfast> client : clients) {
          client.get(60, TimeUnit.SECONDS).close(Duration.ZERO);
        }
      }
    }
  }

  private static void allGetIn(
      Server.Kind kind, Server server, List<CompletableFuture<Holdfast>> clients) throws Exception {
    long start = System.nanoTime();
    List<CompletableFuture<Hold>> holds = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      String name = "n" + i;
      CompletableFuture<Holdfast> client =
          CompletableFuture.supplyAsync(
              () -> Holdfast.connect(server.url()), task -> new Thread(task).start());
      clients.add(client);
      holds.add(client.thenCompose(open -> open.lock(name).acquireAsync(WAIT)));
    }
    int in = 0;
    for (CompletableFuture<Hold> each : holds) {
      in += each.handle((hold, failure) -> failure == null ? 1 : 0).get(60, TimeUnit.SECONDS);
    }
    Figure.print(
        "%s: of %d clients that start at once %d are in, after %,d ms",
        kind, CLIENTS, in, (System.nanoTime() - start) / 1_000_000);
    assertThat(in).isEqualTo(CLIENTS);
  }
}
