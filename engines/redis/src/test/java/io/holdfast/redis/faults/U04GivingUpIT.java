package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Callers that give up at any point of an acquire, over a network at its worst. */
@Isolated
@Timeout(60)
class U04GivingUpIT {

  private static final int ROUNDS = Integer.getInteger("rounds", LongRun.of(12, 36));
  private static final int A_ROUND = 30;
  // Far beyond the bound: what is gone was taken out, and did not just end.
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final String OPTIONS = "?holdfast.lease=20s";
  private static final Duration LONG = Duration.ofSeconds(30);

  /** What the network does meanwhile. */
  private enum Network {
    SLOW,
    LOSES_REPLIES,
    RESETS_REPLIES,
    HOLDS_REQUESTS
  }

  /** How callers give up. */
  private enum Way {
    INTERRUPT,
    CANCEL,
    TIMEOUT
  }

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Way, Integer> gaveUp = new EnumMap<>(Way.class);
  private int granted;
  private final Set<String> tombstones = new HashSet<>();

  @Test
  @DisplayName("whoever gives up, at whatever point, leaves nothing behind")
  void nothingStays() throws Exception {
    long slowest = 0;
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast rival = Holdfast.connect(server.uri() + OPTIONS);
        Holdfast client = Holdfast.connect("redis://127.0.0.1:" + proxy.port() + OPTIONS)) {
      for (int i = 0; i < ROUNDS; i++) {
        Network network = Network.values()[i % Network.values().length];
        long clean = round(network, i, server, proxy, client, rival);
        if (clean > 1_000_000_000L) {
          Figure.print(
              "round %d, %s (seed %d): clean after %,d ms", i, network, seed, clean / 1_000_000);
        }
        slowest = Math.max(slowest, clean);
      }
      Figure.within(
          Duration.ofSeconds(1),
          slowest,
          "%d of %d callers gave up (%s; %d tombstones): store clean, slowest of %d rounds"
              .formatted(
                  ROUNDS * A_ROUND - granted, ROUNDS * A_ROUND, gaveUp, tombstones.size(), ROUNDS));
      StoredKeys.requireOnlyTombstones(server, LEASE);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /** Answers how long after the network was well again the last trace was gone. */
  private long round(
      Network network,
      int number,
      RedisServer server,
      FaultProxy proxy,
      Holdfast client,
      Holdfast rival)
      throws Exception {
    List<Hold> theirs = new ArrayList<>();
    List<DistributedLock> locks = new ArrayList<>();
    for (int i = 0; i < A_ROUND; i++) {
      String name = "r" + number + "/" + i;
      Order order = i % 2 == 0 ? Order.ANY : Order.FIFO;
      locks.add(client.with(o -> o.withOrder(order)).lock(name));
      if (random.nextBoolean()) {
        theirs.add(rival.with(o -> o.withOrder(order)).lock(name).acquire(LONG));
      }
    }
    for (int i = 0; i < 8; i++) {
      // All connections are there, so that what follows gets as far as the store.
      client.lock("warm/" + i).acquire(LONG).close();
    }
    begin(network, proxy);
    List<CompletableFuture<Boolean>> callers = new ArrayList<>();
    for (DistributedLock lock : locks) {
      Way way = Way.values()[random.nextInt(Way.values().length)];
      long micros = random.nextInt(network == Network.SLOW ? 20_000 : 40_000);
      callers.add(giveUp(lock, way, micros));
      gaveUp.merge(way, 1, Integer::sum);
    }
    for (CompletableFuture<Boolean> caller : callers) {
      granted += caller.get(30, TimeUnit.SECONDS) ? 1 : 0;
    }
    proxy.heal();
    long healed = System.nanoTime();
    theirs.forEach(Hold::close);
    StoredKeys.awaitNoLocks(server, Duration.ofSeconds(5));
    long clean = System.nanoTime() - healed;
    tombstones.addAll(StoredKeys.all(server));
    for (int i = 0; i < A_ROUND; i++) {
      Order order = i % 2 == 0 ? Order.ANY : Order.FIFO;
      DistributedLock next = rival.with(o -> o.withOrder(order)).lock("r" + number + "/" + i);
      next.acquire(Duration.ofSeconds(1)).close();
    }
    return clean;
  }

  private void begin(Network network, FaultProxy proxy) {
    switch (network) {
      case SLOW -> proxy.delay(Duration.ofMillis(1), Duration.ofMillis(4), random.nextLong());
      case LOSES_REPLIES -> proxy.apply(Direction.REPLIES, new ProxyFault.Swallow());
      case RESETS_REPLIES -> proxy.apply(Direction.REPLIES, new ProxyFault.Reset());
      case HOLDS_REQUESTS -> proxy.apply(Direction.REQUESTS, new ProxyFault.Hold());
    }
  }

  /** Completes with whether the caller got the lock before it gave up. */
  private static CompletableFuture<Boolean> giveUp(DistributedLock lock, Way way, long micros) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                end.complete(
                    way == Way.CANCEL ? cancelled(lock, micros) : ended(lock, way, micros));
              } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
              }
            });
    caller.start();
    if (way == Way.INTERRUPT) {
      CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(caller::interrupt);
    }
    return end;
  }

  private static boolean ended(DistributedLock lock, Way way, long micros) {
    try {
      Hold hold = lock.acquire(way == Way.TIMEOUT ? Duration.ofNanos(micros * 1_000) : LONG);
      assertThat(hold.token()).isPositive();
      hold.release();
      return true;
    } catch (InterruptedException | HoldfastException e) {
      return false;
    }
  }

  private static boolean cancelled(DistributedLock lock, long micros) {
    CompletableFuture<Hold> future = lock.acquireAsync(LONG);
    long start = System.nanoTime();
    Await.until("a moment", LONG, () -> System.nanoTime() - start > micros * 1_000);
    if (future.cancel(true)) {
      return false;
    }
    try {
      future.get().release();
      return true;
    } catch (InterruptedException | ExecutionException | CancellationException e) {
      return false;
    }
  }
}
