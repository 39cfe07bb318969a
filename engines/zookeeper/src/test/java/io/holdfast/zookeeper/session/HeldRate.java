package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What it costs to keep many locks: as many requests as to keep a few. */
final class HeldRate {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int AT_ONCE = 500;
  private static final Duration LEASE = Duration.ofSeconds(8);

  /**
   * In a lease: eight beats, and with each a look at some; as many beats again that a renewal asks
   * for because the last one is not fresh; and the server's own, pings and what the test asks.
   */
  private static final int MOST_IN_A_LEASE = 3 * 8 + 8;

  /** A hold that nobody can reach any more is given back. */
  private final List<Hold> held = new ArrayList<>();

  /** Takes so many, one count after another, and fails if the requests that follow grow with it. */
  void requireFlat(int... counts) throws Exception {
    ZooKeeperServerOptions options = ZooKeeperServerOptions.PLAIN.withTick(Duration.ofMillis(400));
    try (ZooKeeperServer server = ZooKeeperServer.start(options)) {
      ZooKeeperEngine engine = Engines.open(server.uri(), LEASE);
      try (Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withLease(LEASE))) {
        for (int count : counts) {
          hold(holdfast, count - held.size());
          Await.until("all listen to their lines", LONG, () -> hasSettled(engine));
          double rate = requests(server);
          Figure.print("%,d held: %.1f requests in a lease of %s", held.size(), rate, LEASE);
          held.forEach(Hold::ensureHeld);
          assertThat(rate).isLessThan(MOST_IN_A_LEASE);
        }
      }
    }
  }

  private boolean hasSettled(ZooKeeperEngine engine) {
    held.forEach(Hold::ensureHeld);
    List<TicketState> states =
        EngineInternals.tickets(engine).ofSession(EngineInternals.sessions(engine).peek());
    return EngineInternals.heldLocks(engine).size() >= held.size()
        && states.stream().noneMatch(TicketState::mustLook);
  }

  private void hold(Holdfast holdfast, int count) throws Exception {
    int end = held.size() + count;
    while (held.size() < end) {
      List<CompletableFuture<Hold>> some = new ArrayList<>();
      for (int i = held.size(); i < Math.min(end, held.size() + AT_ONCE); i++) {
        some.add(holdfast.lock("held/" + i).acquireAsync(LONG));
      }
      for (CompletableFuture<Hold> each : some) {
        held.add(each.get(60, TimeUnit.SECONDS));
      }
    }
  }

  /** How many come in a lease. */
  private static double requests(ZooKeeperServer server) {
    long before = server.number("zk_packets_received");
    long start = System.nanoTime();
    Await.until("a lease passes", LONG, () -> System.nanoTime() - start > LEASE.toNanos());
    double longer = 1.0 * (System.nanoTime() - start) / LEASE.toNanos();
    return (server.number("zk_packets_received") - before) / longer;
  }
}
