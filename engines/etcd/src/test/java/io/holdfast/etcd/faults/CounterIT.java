package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.Await;
import io.holdfast.rig.Direction;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of numbers while servers die and answers are lost. */
@Timeout(120)
class CounterIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long COUNT = 100;

  private static long take(Counter counter) throws EngineException {
    return counter.take(new Ask(new Resource("default", "orders"), COUNT, 0, false));
  }

  private static long takeInSpite(Counter counter) {
    return Await.value("a block", LONG, () -> Optional.of(take(counter)));
  }

  private static void requireApart(List<Long> blocks) {
    List<Long> sorted = new ArrayList<>(blocks);
    Collections.sort(sorted);
    for (int i = 1; i < sorted.size(); i++) {
      assertThat(sorted.get(i)).isGreaterThanOrEqualTo(sorted.get(i - 1) + COUNT);
    }
  }

  @Test
  @DisplayName("a server that is killed repeats no block: a lost answer wastes one")
  void killed() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        LockEngine mine = Engines.open(server.uri());
        LockEngine theirs = Engines.open(server.uri())) {
      List<Long> blocks = Collections.synchronizedList(new ArrayList<>());
      Counter counter = mine.counter().orElseThrow();
      List<Thread> takers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Counter one = i % 2 == 0 ? counter : theirs.counter().orElseThrow();
        Thread taker = new Thread(() -> takeUntilItFails(one, blocks), "taker-" + i);
        takers.add(taker);
        taker.start();
      }
      Await.until("blocks", LONG, () -> blocks.size() >= 200);
      server.process().kill9();
      for (Thread taker : takers) {
        taker.join();
      }
      server.process().restart();
      long next = takeInSpite(counter);
      blocks.add(next);
      requireApart(blocks);
      assertThat(next).isEqualTo(Collections.max(blocks));
      Figure.print(
          "etcd: %d blocks before and after it was killed, %d wasted",
          blocks.size(), next / COUNT + 1 - blocks.size());
    }
  }

  private static void takeUntilItFails(Counter counter, List<Long> blocks) {
    try {
      while (true) {
        blocks.add(take(counter));
      }
    } catch (EngineException e) {
      assertThat(e).isNotInstanceOf(EngineException.Refused.class);
    }
  }

  @Test
  @DisplayName("an answer that is lost wastes a block and repeats none")
  void lostAnswers() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine engine = Engines.open("etcd://127.0.0.1:" + proxy.port())) {
      Counter counter = engine.counter().orElseThrow();
      List<Long> blocks = new ArrayList<>();
      int lost = 0;
      for (int i = 0; i < 12; i++) {
        if (i % 4 == 2) {
          // What is asked arrives, what is answered does not.
          proxy.passOnly(Direction.REQUESTS);
        }
        try {
          blocks.add(take(counter));
        } catch (EngineException.Unknown | EngineException.NotDone e) {
          lost++;
          proxy.heal();
        }
      }
      proxy.heal();
      long next = takeInSpite(counter);
      blocks.add(next);
      requireApart(blocks);
      long wasted = next / COUNT + 1 - blocks.size();
      Figure.print("etcd: %d answers lost, %d blocks wasted", lost, wasted);
      assertThat(lost).isPositive();
      assertThat(wasted).isBetween(1L, (long) lost);
    }
  }
}
