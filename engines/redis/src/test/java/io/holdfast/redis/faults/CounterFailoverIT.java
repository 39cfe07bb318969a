package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Direction;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisSentinels;
import io.holdfast.rig.RedisServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Blocks of numbers while answers, writes and masters are lost. */
@Isolated
@Timeout(120)
class CounterFailoverIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Resource NAME = new Resource("default", "orders");
  private static final long COUNT = 1_000;

  private record Block(long first) {}

  private static Block take(Counter counter, boolean clocked) throws EngineException {
    return new Block(counter.take(new Ask(NAME, COUNT, 0, clocked)));
  }

  private static void requireApart(List<Block> blocks) {
    List<Block> sorted = new ArrayList<>(blocks);
    sorted.sort(Comparator.comparingLong(Block::first));
    for (int i = 1; i < sorted.size(); i++) {
      assertThat(sorted.get(i).first()).isGreaterThanOrEqualTo(sorted.get(i - 1).first() + COUNT);
    }
  }

  @Test
  @DisplayName("a failover that loses writes repeats no block that was taken by the clock")
  void lostWrites() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        Holdfast a = Holdfast.connect(sentinels.uri());
        Holdfast b = Holdfast.connect(sentinels.uri())) {
      Counter mine = a.counter().orElseThrow();
      Counter theirs = b.counter().orElseThrow();
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        blocks.add(take(i % 2 == 0 ? mine : theirs, true));
      }
      sentinels.replicas().get(0).awaitInSync(sentinels.master());
      sentinels.loseReplication();
      for (int i = 0; i < 20; i++) {
        blocks.add(take(i % 2 == 0 ? mine : theirs, true));
      }
      long forgotten = take(mine, true).first();
      blocks.add(new Block(forgotten));
      sentinels.failover();
      long first = firstAfter(theirs);
      blocks.add(new Block(first));
      for (int i = 0; i < 20; i++) {
        blocks.add(take(theirs, true));
      }
      requireApart(blocks);
      assertThat(first).isGreaterThan(forgotten);
      Figure.print(
          "21 blocks forgotten by a failover; the next one begins %,d us behind the last of them",
          first - forgotten);
    }
  }

  private static long firstAfter(Counter counter) {
    return Await.value(
        "a block after the failover", LONG, () -> Optional.of(take(counter, true).first()));
  }

  @Test
  @DisplayName("without the clock the same failover repeats blocks: that is what it is for")
  void withoutTheClock() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        Holdfast a = Holdfast.connect(sentinels.uri())) {
      Counter counter = a.counter().orElseThrow();
      long before = take(counter, false).first();
      sentinels.replicas().get(0).awaitInSync(sentinels.master());
      sentinels.loseReplication();
      long forgotten = take(counter, false).first();
      assertThat(forgotten).isEqualTo(before + COUNT);
      sentinels.failover();
      long after = Await.value("a block", LONG, () -> Optional.of(take(counter, false).first()));
      assertThat(after).isEqualTo(forgotten);
      assertThat(counter.forgets()).isTrue();
    }
  }

  @Test
  @DisplayName("an answer that is lost wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast client =
            Holdfast.connect(
                "redis://127.0.0.1:" + proxy.port() + "?holdfast.operationTimeout=1s")) {
      Counter counter = client.counter().orElseThrow();
      List<Block> blocks = new ArrayList<>();
      int lost = 0;
      for (int i = 0; i < 40; i++) {
        if (i % 8 == 4) {
          // What is asked arrives, what is answered does not.
          proxy.passOnly(Direction.REQUESTS);
        }
        try {
          blocks.add(take(counter, false));
        } catch (EngineException.Unknown | EngineException.NotDone e) {
          lost++;
          proxy.heal();
        }
      }
      proxy.heal();
      long next = Await.value("a block", LONG, () -> Optional.of(take(counter, false).first()));
      requireApart(blocks);
      long wasted = (next - COUNT * blocks.size()) / COUNT;
      Figure.print("%d answers lost, %d blocks wasted, %d used", lost, wasted, blocks.size());
      assertThat(lost).isPositive();
      assertThat(wasted).isBetween(1L, (long) lost);
    }
  }

  @Test
  @DisplayName("a counter outlives a restart of a server that writes to disk")
  void restart() throws Exception {
    try (RedisServer server = RedisServer.startDurable();
        Holdfast client = Holdfast.connect(server.uri())) {
      Counter counter = client.counter().orElseThrow();
      long before = take(counter, false).first();
      server.process().kill9();
      server.process().restart();
      long after = Await.value("a block", LONG, () -> Optional.of(take(counter, false).first()));
      assertThat(after).isGreaterThanOrEqualTo(before + COUNT);
    }
  }
}
