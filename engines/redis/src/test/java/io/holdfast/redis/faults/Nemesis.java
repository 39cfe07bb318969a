package io.holdfast.redis.faults;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Breaks networks and stops a server at random, by a seed, and mends all of it at the end. */
final class Nemesis implements Runnable {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final RedisServer server;
  private final List<FaultProxy> proxies;
  private final Random random;
  private final long end;
  private final Map<String, Integer> done = new TreeMap<>();

  Nemesis(RedisServer server, List<FaultProxy> proxies, long seed, Duration time) {
    this.server = server;
    this.proxies = proxies;
    this.random = new Random(seed);
    this.end = System.nanoTime() + time.toNanos();
  }

  /** What it did, and how often. */
  Map<String, Integer> done() {
    return done;
  }

  @Override
  public void run() {
    while (System.nanoTime() - end < 0) {
      String what = strike(proxies.get(random.nextInt(proxies.size())), random.nextInt(10));
      done.merge(what, 1, Integer::sum);
      pause(20 + random.nextInt(random.nextInt(4) == 0 ? 2_500 : 400));
      if (random.nextInt(3) > 0) {
        proxies.forEach(FaultProxy::heal);
        pause(random.nextInt(300));
      }
    }
    proxies.forEach(FaultProxy::heal);
  }

  private String strike(FaultProxy proxy, int kind) {
    switch (kind) {
      case 0 -> proxy.cut();
      case 1 -> proxy.blackHole();
      case 2 -> proxy.hold();
      case 3 -> proxy.reset();
      case 4 -> proxy.apply(Direction.REPLIES, new ProxyFault.Swallow());
      case 5 -> proxy.apply(Direction.REPLIES, new ProxyFault.Reset());
      case 6 -> proxy.apply(Direction.REQUESTS, new ProxyFault.Hold());
      case 7 -> proxy.delay(Duration.ofMillis(5), Duration.ofMillis(80), random.nextLong());
      case 8 -> stopServer();
      default -> server.call("SCRIPT", "FLUSH");
    }
    return List.of(
            "cut",
            "half-open",
            "partition",
            "reset",
            "replies lost",
            "replies reset",
            "requests held",
            "slow",
            "server stopped",
            "scripts flushed")
        .get(kind);
  }

  private void stopServer() {
    server.process().pause();
    pause(50 + random.nextInt(1_500));
    server.process().resume();
  }

  private static void pause(long millis) {
    long start = System.nanoTime();
    Await.until("a moment", LONG, () -> System.nanoTime() - start > millis * 1_000_000);
  }
}
