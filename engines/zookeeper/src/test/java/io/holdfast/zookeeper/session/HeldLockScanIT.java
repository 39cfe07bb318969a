package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to locks that are held for long, and is not told to their holders. */
@Timeout(120)
class HeldLockScanIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Engines.LEASE;

  /** The look of the next beat, and the renewal after it. */
  private static final Duration FOUND = LEASE.dividedBy(8).plus(LEASE.dividedBy(3));

  private static ZooKeeperServer server;

  private ZooKeeperEngine engine;
  private Holdfast holdfast;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    engine = Engines.open(server.uri(), LEASE);
    holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE));
  }

  @AfterEach
  void close() {
    holdfast.close();
  }

  /** A hold that listens to its line, and will not be told anything. */
  private Hold deaf(String name) throws Exception {
    Hold hold = holdfast.lock(name).acquire(LONG);
    Await.until("it listens to its line", LONG, () -> !state(name).mustLook());
    state(name).stopListening();
    return hold;
  }

  private TicketState state(String name) {
    List<TicketState> all =
        EngineInternals.tickets(engine).ofSession(EngineInternals.sessions(engine).peek());
    return all.stream().filter(s -> s.line().endsWith("/" + name)).findFirst().orElseThrow();
  }

  @Test
  @DisplayName("a node that was deleted costs that hold alone")
  void deleted() throws Exception {
    try (Hold other = holdfast.lock("other").acquire(LONG)) {
      Hold hold = deaf("deleted");
      CompletableFuture<Loss> lost = new CompletableFuture<>();
      hold.onLoss(lost::complete);
      long start = System.nanoTime();
      EngineInternals.sessions(engine)
          .peek()
          .connection()
          .delete(state("deleted").node())
          .get(30, TimeUnit.SECONDS);
      lost.get(30, TimeUnit.SECONDS);
      Figure.since(start, FOUND, "a deleted node that was not told: loss told");
      assertThat(other.isHeld()).isTrue();
    }
  }

  @Test
  @DisplayName("one that waits is seen")
  void wanted() throws Exception {
    try (Hold hold = deaf("wanted");
        Holdfast rival =
            Holdfast.open(
                Engines.open(server.uri(), LEASE), HoldfastOptions.DEFAULTS.withLease(LEASE))) {
      long start = System.nanoTime();
      CompletableFuture<Hold> next = rival.lock("wanted").acquireAsync(LONG);
      Await.until("it is seen that one waits", LONG, () -> state("wanted").isWanted());
      Figure.since(start, FOUND, "a waiter that was not told: seen");
      hold.release();
      next.get(30, TimeUnit.SECONDS).close();
    }
  }

  @Test
  @DisplayName("one that was not told that it is in, and asked, is looked after too")
  void inByAsking() throws Exception {
    try (Holdfast before =
        Holdfast.open(
            Engines.open(server.uri(), LEASE), HoldfastOptions.DEFAULTS.withLease(LEASE))) {
      Hold first = before.lock("asked").acquire(LONG);
      CompletableFuture<Hold> next = holdfast.lock("asked").acquireAsync(LONG);
      Await.until("it waits", LONG, () -> holdfast.health().waiting() == 1 && isWaiting("asked"));
      state("asked").stopListening();
      first.release();
      Hold hold = next.get(30, TimeUnit.SECONDS);
      CompletableFuture<Loss> lost = new CompletableFuture<>();
      hold.onLoss(lost::complete);
      long start = System.nanoTime();
      EngineInternals.sessions(engine)
          .peek()
          .connection()
          .delete(state("asked").node())
          .get(30, TimeUnit.SECONDS);
      lost.get(30, TimeUnit.SECONDS);
      Figure.since(start, FOUND, "in by asking, then its node deleted: loss told");
    }
  }

  private boolean isWaiting(String name) {
    return EngineInternals.tickets(engine)
        .ofSession(EngineInternals.sessions(engine).peek())
        .stream()
        .anyMatch(s -> s.line().endsWith("/" + name) && !s.mustLook());
  }

  @Test
  @DisplayName("those that are off are forgotten")
  void forgotten() throws Exception {
    Hold hold = deaf("off");
    assertThat(EngineInternals.heldLocks(engine).size()).isOne();
    hold.release();
    Await.until(
        "nobody is looked after", LONG, () -> EngineInternals.heldLocks(engine).size() == 0);
  }
}
