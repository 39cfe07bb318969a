package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that answers late: the client asks again, over new connections, while what it sent
 * before may still be done. A server that was stopped does it all when it goes on; one whose
 * clients were paused forgets those that went away.
 */
@Isolated
@Timeout(60)
class U03LateServerIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  // Far beyond the bounds: what is gone was taken out, and did not just end.
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final long LATE = 1_000;
  private static RedisServer server;

  /** How the server is late. */
  enum How {
    PAUSED_CLIENTS,
    STOPPED_SERVER
  }

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clean() {
    server.call("FLUSHALL");
  }

  private static Holdfast connect(String order) {
    return Holdfast.connect(
        server.uri()
            + "?holdfast.lease=20s&holdfast.operationTimeout=200ms&holdfast.order="
            + order);
  }

  /** Makes the server late from when it returns; completes when it is itself again. */
  private static CompletableFuture<Long> late(How how) {
    if (how == How.PAUSED_CLIENTS) {
      server.call("CLIENT", "PAUSE", Long.toString(LATE));
    } else {
      server.process().pause();
    }
    return CompletableFuture.supplyAsync(
        () -> {
          if (how == How.STOPPED_SERVER) {
            server.process().resume();
          }
          long end = System.nanoTime();
          Await.until("an answer", LONG, () -> server.call("PING").equals("PONG"));
          return end;
        },
        CompletableFuture.delayedExecutor(LATE, TimeUnit.MILLISECONDS));
  }

  @ParameterizedTest
  @CsvSource({"PAUSED_CLIENTS, any", "STOPPED_SERVER, any", "STOPPED_SERVER, fifo"})
  @DisplayName("after lost replies and retries the hold count is one")
  void countIsOne(How how, String order) throws Exception {
    try (Holdfast holdfast = connect(order);
        Holdfast rival = connect(order)) {
      holdfast.lock("warm").acquire(LONG).close();
      CompletableFuture<Long> end = late(how);
      Lock lock = holdfast.lock("x").asJavaLock();
      lock.lock();
      try {
        long got = System.nanoTime();
        Figure.print(
            "%s for %,d ms (operation timeout 200 ms, order %s): lock() in %,d ms after the end",
            how, LATE, order, (got - end.get()) / 1_000_000);
        assertThat(rival.lock("x").tryAcquire(Duration.ofMillis(300))).isEmpty();
      } finally {
        lock.unlock();
      }
      // One unlock is enough: nobody renews what is left of a second lock.
      try (Hold next = rival.lock("x").acquire(Duration.ofSeconds(1))) {
        assertThat(next.isHeld()).isTrue();
      }
    }
    StoredKeys.awaitNoLocks(server, Duration.ofSeconds(5));
    StoredKeys.requireOnlyTombstones(server, LEASE);
  }

  @ParameterizedTest
  @CsvSource({"PAUSED_CLIENTS, any", "STOPPED_SERVER, any", "STOPPED_SERVER, fifo"})
  @DisplayName("an acquire that gave up while the server was late leaves no ghost")
  void noGhost(How how, String order) throws Exception {
    try (Holdfast holdfast = connect(order)) {
      holdfast.lock("warm").acquire(LONG).close();
      CompletableFuture<Long> end = late(how);
      long start = System.nanoTime();
      Throwable thrown = catchThrowable(() -> holdfast.lock("x").acquire(Duration.ofMillis(500)));
      long took = System.nanoTime() - start;
      assertThat(thrown)
          .isInstanceOfAny(OutcomeUnknownException.class, StoreUnavailableException.class);
      Figure.within(
          Duration.ofMillis(600), took, how + ", order " + order + ": acquire(500 ms) ended");

      // Looks for longer than the leaver's longest pause.
      long ended = end.get();
      List<Long> ghosts = new ArrayList<>();
      Await.until(
          "1.1 s",
          LONG,
          () -> {
            long now = System.nanoTime();
            if (!StoredKeys.ofLocks(server).isEmpty()) {
              ghosts.add(now);
            }
            return now - ended > 1_100_000_000L;
          });
      long last = ghosts.isEmpty() ? ended : ghosts.get(ghosts.size() - 1);
      Figure.within(
          Duration.ofSeconds(1), last - ended, how + ", order " + order + ": last ghost seen");
      StoredKeys.awaitNoLocks(server, Duration.ofSeconds(4));
      StoredKeys.requireOnlyTombstones(server, LEASE);
    }
  }
}
