package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.scenarios.CounterBlocks;
import io.holdfast.rig.scenarios.CounterFaultScenario;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Counter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Blocks of numbers while answers, writes and masters are lost. */
@Isolated
@Timeout(120)
class CounterFailoverIT {

  private static final long SIZE = 1_000;

  @Test
  @DisplayName("a failover that loses writes repeats no block that was taken by the clock")
  void lostWrites() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        Holdfast a = Holdfast.connect(sentinels.uri());
        Holdfast b = Holdfast.connect(sentinels.uri())) {
      Counter mine = a.counter().orElseThrow();
      Counter theirs = b.counter().orElseThrow();
      CounterBlocks blocks = CounterBlocks.clocked(SIZE);
      for (int i = 0; i < 20; i++) {
        blocks.take(i % 2 == 0 ? mine : theirs);
      }
      sentinels.replicas().get(0).awaitInSync(sentinels.master());
      sentinels.loseReplication();
      for (int i = 0; i < 20; i++) {
        blocks.take(i % 2 == 0 ? mine : theirs);
      }
      long forgotten = blocks.take(mine);
      sentinels.failover();
      long first = blocks.takeInSpite(theirs);
      for (int i = 0; i < 20; i++) {
        blocks.take(theirs);
      }
      blocks.requireApart();
      assertThat(first).isGreaterThan(forgotten);
      Figure.print(
          "21 blocks forgotten by a failover; the next one begins %,d us behind the last of them",
          first - forgotten);
    }
  }

  @Test
  @DisplayName("without the clock the same failover repeats blocks: that is what it is for")
  void withoutTheClock() throws Exception {
    try (RedisSentinels sentinels = RedisSentinels.start();
        Holdfast a = Holdfast.connect(sentinels.uri())) {
      Counter counter = a.counter().orElseThrow();
      CounterBlocks blocks = CounterBlocks.of(SIZE);
      long before = blocks.take(counter);
      sentinels.replicas().get(0).awaitInSync(sentinels.master());
      sentinels.loseReplication();
      long forgotten = blocks.take(counter);
      assertThat(forgotten).isEqualTo(before + SIZE);
      sentinels.failover();
      long after = blocks.takeInSpite(counter);
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
      CounterFaultScenario.lostAnswers("Redis", proxy, client.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName("a counter outlives a restart of a server that writes to disk")
  void restart() throws Exception {
    try (RedisServer server = RedisServer.startDurable();
        Holdfast client = Holdfast.connect(server.uri())) {
      Counter counter = client.counter().orElseThrow();
      CounterBlocks blocks = CounterBlocks.of(SIZE);
      long before = blocks.take(counter);
      server.process().kill9();
      server.process().restart();
      long after = blocks.takeInSpite(counter);
      assertThat(after).isGreaterThanOrEqualTo(before + SIZE);
    }
  }
}
