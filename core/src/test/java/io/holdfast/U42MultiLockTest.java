package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U42. Several names are taken in one global order: all or none, under one deadline. */
@Timeout(60)
class U42MultiLockTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final TestWorld world = new TestWorld().drive();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
  private final Holdfast rival = Holdfast.open(engine.rival(), HoldfastOptions.DEFAULTS, world);

  @Test
  void namesAreTakenOnceInTheOrderOfTheirBytes() throws Exception {
    MultiHold hold =
        holdfast.multiLock("b", "\ud83d\ude00", "a", "\uff5e", "B", "a", "b").acquire(WAIT);
    assertThat(hold.tokens().keySet()).containsExactly("B", "a", "b", "\uff5e", "\ud83d\ude00");
    assertThat(hold.holds())
        .extracting(Hold::name)
        .containsExactlyElementsOf(hold.tokens().keySet());
    assertThat(hold.holds())
        .extracting(Hold::token)
        .containsExactlyElementsOf(hold.tokens().values());
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void theyAreGivenBackInReverse() throws Exception {
    holdfast.multiLock("c", "a", "b").acquire(WAIT).close();
    assertThat(engine.calls(ScriptedEngine.Kind.LEAVE))
        .extracting(ScriptedEngine.Call::name)
        .containsExactly("c", "b", "a");
  }

  @Test
  void aBusyNameReleasesTheOthersBeforeTheCallReturns() throws Exception {
    Hold busy = rival.lock("c").tryAcquire().orElseThrow();
    Duration before = world.elapsed();
    assertThat(holdfast.multiLock("a", "b", "c", "d").tryAcquire(WAIT)).isEmpty();
    assertThat(world.elapsed().minus(before)).isEqualTo(WAIT);
    assertThat(engine.lines()).containsExactly("c");
    assertThat(engine.calls()).noneMatch(call -> call.name().equals("d"));
    assertThatThrownBy(() -> holdfast.multiLock("a", "c").acquire(WAIT))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("\"c\"");
    assertThat(engine.lines()).containsExactly("c");
    busy.release();
  }

  @Test
  void allShareOneDeadline() throws Exception {
    Hold first = rival.lock("a").tryAcquire().orElseThrow();
    Hold second = rival.lock("b").tryAcquire().orElseThrow();
    world.schedule(Duration.ofSeconds(3).toNanos(), first::release);
    Duration before = world.elapsed();
    assertThat(holdfast.multiLock("a", "b").tryAcquire(WAIT)).isEmpty();
    assertThat(world.elapsed().minus(before)).isEqualTo(WAIT);
    second.release();
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void anInterruptGivesBackWhatWasTaken() throws Exception {
    Hold busy = rival.lock("b").tryAcquire().orElseThrow();
    Thread me = Thread.currentThread();
    world.schedule(Duration.ofSeconds(1).toNanos(), me::interrupt);
    assertThatThrownBy(() -> holdfast.multiLock("a", "b").acquire(WAIT))
        .isInstanceOf(InterruptedException.class);
    assertThat(engine.lines()).containsExactly("b");
    busy.release();
  }

  @Test
  void aFailureInTheMiddleGivesBackWhatWasTaken() {
    engine.script(call -> call.name().equals("b"), Faults.refused("no rights"), 1);
    assertThatThrownBy(() -> holdfast.multiLock("a", "b").acquire(WAIT))
        .isInstanceOf(LockRefusedException.class);
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void theWorstOutcomeIsTheOutcome() throws Exception {
    MultiHold hold = holdfast.multiLock("a", "b", "c").acquire(WAIT);
    engine
        .inspector()
        .orElseThrow()
        .evict(HoldScene.resource("b"), hold.tokens().get("b"), "maintenance");
    world.advance(Duration.ofSeconds(11));
    assertThat(hold.isHeld()).isFalse();
    assertThatThrownBy(hold::ensureHeld)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("name b");
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void closingReportsEveryLossAndReleasesTheRest() throws Exception {
    MultiHold hold = holdfast.multiLock("a", "b", "c").acquire(WAIT);
    for (String name : List.of("a", "c")) {
      engine
          .inspector()
          .orElseThrow()
          .evict(HoldScene.resource(name), hold.tokens().get(name), "maintenance");
    }
    world.advance(Duration.ofSeconds(11));
    Throwable thrown = catchThrowable(hold::close);
    assertThat(thrown).isInstanceOf(LockLostException.class).hasMessageContaining("name c");
    assertThat(thrown.getSuppressed()).singleElement().asString().contains("name a");
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void noNamesAtAllIsAMistake() {
    assertThatThrownBy(() -> holdfast.multiLock()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyCallersWithRandomSetsNeverWaitInACircle() {
    World real = World.system();
    Holdfast shared = Holdfast.open(ScriptedEngine.on(real), HoldfastOptions.DEFAULTS, real);
    AtomicIntegerArray inside = new AtomicIntegerArray(8);
    List<Caller<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      SplittableRandom random = new SplittableRandom(i);
      callers.add(Caller.start(() -> takeRandomSets(shared, random, inside)));
    }
    int taken = callers.stream().mapToInt(Caller::result).sum();
    System.out.println("random sets taken without a deadlock: " + taken);
    assertThat(taken).isEqualTo(16 * 100);
    shared.close();
  }

  private static int takeRandomSets(
      Holdfast shared, SplittableRandom random, AtomicIntegerArray inside) throws Exception {
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      List<Integer> all = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
      Collections.shuffle(all, new Random(random.nextLong()));
      List<Integer> some = all.subList(0, 1 + random.nextInt(4));
      try (MultiHold hold =
          shared
              .multiLock(some.stream().map(n -> "n" + n).toList())
              .acquire(Duration.ofSeconds(20))) {
        for (int n : some) {
          if (inside.incrementAndGet(n) != 1) {
            throw new AssertionError("two inside of n" + n + ": " + hold.tokens());
          }
        }
        taken++;
        some.forEach(inside::decrementAndGet);
      }
    }
    return taken;
  }
}
