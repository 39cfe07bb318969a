package io.holdfast.runtime.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Await;
import io.holdfast.Caller;
import io.holdfast.Faults;
import io.holdfast.RecordedAnswer;
import io.holdfast.RuntimeLincheckTest;
import io.holdfast.ScriptedEngine;
import io.holdfast.Tickets;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One lane under everything at once, with real threads and seeded rounds.
 *
 * <p>Verbs are sent and taken back while others hang, fail and lose their replies, crews are
 * dismissed, and the lane closes. The model checker of {@link RuntimeLincheckTest} cannot drive the
 * lane's own thread.
 */
@Timeout(120)
class LaneStressTest {

  private static final int ROUNDS = 300;
  private static final int SENDERS = 3;
  private static final int VERBS = 20;

  /** A verb, its completions, and whether it was taken back. */
  private static final class Sent {
    final RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    final Verb.Attempt verb;
    boolean withdrawn;

    Sent(String name) {
      verb = Tickets.attempt(name, noted);
    }
  }

  private int answered;
  private int withdrawn;
  private int replaced;

  @Test
  void everyVerbIsCompletedOnceOrWasTakenBackAndNothingIsLeft() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      round(seed);
    }
    System.out.printf(
        "%d rounds: %d answers, %d taken back, %d crews dismissed%n",
        ROUNDS, answered, withdrawn, replaced);
    assertThat(answered).isPositive();
    assertThat(withdrawn).isPositive();
    assertThat(replaced).isPositive();
  }

  private void round(int seed) {
    LaneScene scene = new LaneScene(5);
    CountDownLatch thaw = new CountDownLatch(1);
    scene.engine.script(call -> fate(call, seed) == 0, new Frozen(thaw), Integer.MAX_VALUE);
    scene.engine.script(
        call -> call.kind() == ScriptedEngine.Kind.ATTEMPT && fate(call, seed) == 1,
        Faults.answerLost(),
        Integer.MAX_VALUE);
    scene.engine.script(call -> fate(call, seed) == 2, Faults.down(), Integer.MAX_VALUE);
    List<Caller<List<Sent>>> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      SplittableRandom random = new SplittableRandom(seed * 31L + i);
      senders.add(Caller.start(() -> send(scene, random)));
    }
    SplittableRandom random = new SplittableRandom(seed);
    while (!senders.stream().allMatch(Caller::isDone)) {
      scene.world.advanceMillis(random.nextInt(700));
      LockSupport.parkNanos(1_000);
    }
    if (random.nextBoolean()) {
      scene.timeOut();
    }
    scene.lane.close();
    thaw.countDown();
    Await.until("all threads have ended", () -> scene.world.liveThreads().isEmpty());
    scene.world.runCallbacks();
    senders.forEach(sender -> check(sender.result(), seed));
    assertThat(scene.lane.queued()).isZero();
    assertThat(scene.engine.connectionsClosed()).isEqualTo(scene.engine.connectionsOpened());
    replaced += scene.replaced.size();
  }

  private static int fate(ScriptedEngine.Call call, int seed) {
    return (int) Math.floorMod(call.ticket() * 2654435761L + seed * 40503L, 16L);
  }

  private static List<Sent> send(LaneScene scene, SplittableRandom random) {
    List<Sent> all = new ArrayList<>();
    for (int i = 0; i < VERBS; i++) {
      Sent sent = new Sent("n" + random.nextInt(4));
      scene.lane.submit(sent.verb);
      all.add(sent);
      if (random.nextInt(3) == 0) {
        Sent some = all.get(random.nextInt(all.size()));
        some.withdrawn |= scene.lane.withdraw(some.verb);
      }
    }
    return all;
  }

  private void check(List<Sent> all, int seed) {
    for (Sent sent : all) {
      assertThat(sent.noted.times()).as("seed %d", seed).isEqualTo(sent.withdrawn ? 0 : 1);
      answered += sent.noted.times();
      withdrawn += sent.withdrawn ? 1 : 0;
    }
  }

  /** Hangs until the round is over. */
  private static final class Frozen implements ScriptedEngine.Fault {
    private final CountDownLatch thaw;

    Frozen(CountDownLatch thaw) {
      this.thaw = thaw;
    }

    @Override
    public void before() throws EngineException {
      try {
        if (!thaw.await(30, TimeUnit.SECONDS)) {
          throw new EngineException.Unknown("the round never ended", null);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
