package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Verbs that fail for much longer than a lease, in a session that lives on meanwhile. */
@Timeout(120)
class LongOutageIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration LEASE = Engines.LEASE;

  /** Until the lease has ended, for an operation and another lease, and a little longer. */
  private static final Duration OUTAGE =
      LEASE.multipliedBy(2).plus(HoldfastOptions.DEFAULTS.operationTimeout()).plusSeconds(2);

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() throws Exception {
    server = ZooKeeperServer.start();
    Engines.warmUp(server.uri());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A client, and what is behind it. */
  private record Client(Holdfast holdfast, ZooKeeperEngine engine, FaultyEngine verbs)
      implements AutoCloseable {

    static Client open() {
      ZooKeeperEngine engine = (ZooKeeperEngine) Engines.open(server.uri() + "/outage");
      FaultyEngine verbs = FaultyEngine.over(engine);
      HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(LEASE);
      return new Client(Holdfast.open(verbs, options), engine, verbs);
    }

    long session() {
      return EngineInternals.sessions(engine).peek().id();
    }

    @Override
    public void close() {
      holdfast.close();
    }
  }

  @Test
  @DisplayName("what expired or gave up during an outage does not block others after it")
  void nothingStays() throws Exception {
    try (Client one = Client.open();
        Client two = Client.open()) {
      Hold held = one.holdfast.lock("held").acquire(LONG);
      Hold other = two.holdfast.lock("awaited").acquire(LONG);
      CompletableFuture<Hold> waiter = one.holdfast.lock("awaited").acquireAsync(LONG);
      Await.until("one waits", LONG, () -> EngineInternals.tickets(one.engine).size() == 2);
      long session = one.session();
      one.verbs.cut();
      long cut = System.nanoTime();
      waiter.cancel(true);
      other.release();
      Await.until("it is lost", LONG, () -> !held.isHeld());
      assertThat(held.release()).isEqualTo(Outcome.LOST);
      assertThat(held.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
      Await.until("a long outage", LONG, () -> System.nanoTime() - cut > OUTAGE.toNanos());
      assertThat(two.holdfast.lock("held").tryAcquire()).as("the session lives").isEmpty();
      assertThat(two.holdfast.lock("awaited").tryAcquire()).as("the session lives").isEmpty();
      one.verbs.heal();
      long healed = System.nanoTime();
      try (Hold next = two.holdfast.lock("held").acquire(Duration.ofSeconds(10));
          Hold last = two.holdfast.lock("awaited").acquire(Duration.ofSeconds(10))) {
        Figure.since(healed, Duration.ofSeconds(2), "after a long outage: a rival is in");
        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(last.token()).isGreaterThan(other.token());
      }
      assertThat(one.session()).isEqualTo(session);
      assertThat(EngineInternals.tickets(one.engine).size()).isZero();
    }
  }
}
