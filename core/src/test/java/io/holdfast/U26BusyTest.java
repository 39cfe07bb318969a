package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U26. The caller decides what happens when the lock is busy; a body never runs without it. */
class U26BusyTest {

  private final HoldScene scene = new HoldScene();
  private final List<String> ran = new ArrayList<>();
  private Hold rivals;

  private DistributedLock busy(Primitive primitive) throws InterruptedException {
    rivals = primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    assertThat(rivals.isHeld()).isTrue();
    return primitive.of(scene.view(), "a");
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aTryIsEmptyAtOnceAndLeavesNothing(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    Duration before = scene.world.elapsed();
    assertThat(lock.tryAcquire()).isEmpty();
    assertThat(scene.world.elapsed()).isEqualTo(before);
    assertThat(scene.engine.tickets("a")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aTryWhoseFirstRequestMayComeLateLeaves(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    scene.engine.script(
        call -> call.kind() == ScriptedEngine.Kind.ATTEMPT, Faults.requestLost(), 1);
    assertThat(lock.tryAcquire()).isEmpty();
    assertThat(scene.engine.calls(ScriptedEngine.Kind.LEAVE))
        .singleElement()
        .matches(ScriptedEngine.Call::inDoubt);
    assertThat(scene.engine.tickets("a")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aBoundedTryIsEmptyAtItsTimeAndNotBefore(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    Duration before = scene.world.elapsed();
    assertThat(lock.tryAcquire(Duration.ofMillis(2_345))).isEmpty();
    assertThat(scene.world.elapsed().minus(before)).isEqualTo(Duration.ofMillis(2_345));
    assertThat(scene.engine.tickets("a")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aBoundedAcquireThrowsAtItsTime(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    assertThatThrownBy(() -> lock.acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class);
    assertThatThrownBy(() -> lock.acquire(Duration.ZERO)).isInstanceOf(LockTimeoutException.class);
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aBodyNeverRunsWithoutTheHold(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    assertThatThrownBy(() -> lock.call(Duration.ofSeconds(1), hold -> ran.add("body")))
        .isInstanceOf(LockTimeoutException.class);
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    assertThatThrownBy(() -> lock.call(Duration.ofSeconds(1), hold -> ran.add("body")))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(ran).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anUnboundedAcquireWaitsForAsLongAsItTakes(Primitive primitive) throws Exception {
    DistributedLock lock = busy(primitive);
    scene.world.schedule(Duration.ofSeconds(25).toNanos(), rivals::release);
    try (Hold hold = lock.acquire()) {
      assertThat(hold.isHeld()).isTrue();
    }
    assertThat(scene.world.elapsed()).isBetween(Duration.ofSeconds(25), Duration.ofMillis(25_010));
  }
}
