package io.holdfast.rig.scenarios;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Takes counter blocks while servers die and replies are lost. Every engine must pass it. */
public final class CounterFaultScenario {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long SIZE = 100;
  private static final int TAKERS = 4;
  private static final int ENOUGH = 200;
  private static final int TAKES = 12;
  private static final int LOST_EVERY = 4;

  private CounterFaultScenario() {}

  /**
   * Kills a server while blocks are taken, and restarts it: no block is repeated.
   *
   * @param store for people
   * @param mine of one client of that server
   * @param theirs of another one
   */
  public static void killed(String store, ServerProcess server, Counter mine, Counter theirs)
      throws Exception {
    CounterBlocks blocks = CounterBlocks.of(SIZE);
    List<CompletableFuture<Void>> takers = new ArrayList<>();
    for (int i = 0; i < TAKERS; i++) {
      Counter counter = i % 2 == 0 ? mine : theirs;
      takers.add(
          CompletableFuture.runAsync(
              () -> blocks.takeUntilItFails(counter), body -> new Thread(body, "taker").start()));
    }
    Await.until("blocks", LONG, () -> blocks.count() >= ENOUGH);
    server.kill9();
    for (CompletableFuture<Void> taker : takers) {
      taker.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
    server.restart();
    long next = blocks.takeInSpite(mine);
    blocks.requireApart();
    blocks.requireLast(next);
    Figure.print(
        "%s: %d blocks before and after it was killed, %d wasted",
        store, blocks.count(), blocks.wasted(next));
  }

  /**
   * Drops replies: each wastes a block, and none is repeated.
   *
   * @param store for people
   * @param proxy before the server
   * @param counter of a client behind the proxy
   */
  public static void lostAnswers(String store, FaultProxy proxy, Counter counter) {
    CounterBlocks blocks = CounterBlocks.of(SIZE);
    int lost = 0;
    for (int i = 0; i < TAKES; i++) {
      if (i % LOST_EVERY == LOST_EVERY / 2) {
        // Requests arrive, replies do not.
        proxy.passOnly(Direction.REQUESTS);
      }
      try {
        blocks.take(counter);
      } catch (EngineException e) {
        if (e instanceof EngineException.Refused) {
          throw new AssertionError("a lost reply must not be a refusal", e);
        }
        lost++;
        proxy.heal();
      }
    }
    proxy.heal();
    long wasted = blocks.wasted(blocks.takeInSpite(counter));
    blocks.requireApart();
    Figure.print("%s: %d replies lost, %d blocks wasted", store, lost, wasted);
    if (wasted < 1 || wasted > lost) {
      throw new AssertionError(store + ": " + lost + " replies lost, " + wasted + " blocks wasted");
    }
  }
}
