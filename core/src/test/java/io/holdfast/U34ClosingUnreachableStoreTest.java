package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U34. Waits on an unreachable store end in time, and so does the close after them. */
@Timeout(60)
class U34ClosingUnreachableStoreTest {

  private static final Duration OPERATION = HoldfastOptions.DEFAULTS.operationTimeout();

  private final HoldScene scene = new HoldScene();

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void aWaitThatIsShorterThanAnOperationEndsAtItsTime(Primitive primitive) {
    storeIsUnreachable();
    Duration before = scene.world.elapsed();
    assertThatThrownBy(() -> primitive.of(scene.view(), "a").tryAcquire(Duration.ofSeconds(1)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("waited 1000 ms");
    assertThat(scene.world.elapsed().minus(before)).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void whatNeverReachedTheStoreIsNotWaitedFor(Primitive primitive) {
    storeIsUnreachable();
    assertThatThrownBy(() -> primitive.of(scene.view(), "a").tryAcquire(Duration.ofSeconds(1)))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(closing()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void waitersForAnUnreachableStoreDoNotDelayTheClose(Primitive primitive) {
    storeIsUnreachable();
    CompletableFuture<Hold> asked =
        primitive.of(scene.view(), "a").acquireAsync(Duration.ofMinutes(1));
    scene.world.advance(Duration.ofSeconds(5));
    assertThat(closing()).isZero();
    scene.world.runCallbacks();
    assertThat(asked).isCompletedExceptionally();
  }

  @Test
  void aLeaveThatIsSurelyNotDoneIsTriedForAnOperationTimeoutAndNoLonger() throws Exception {
    scene.take("a");
    storeIsUnreachable();
    assertThat(closing()).isBetween(OPERATION.dividedBy(2), OPERATION);
    assertThat(scene.engine.lines()).containsExactly("a");
  }

  @Test
  void aStoreThatIsBackInTimeIsLeftCleanly() throws Exception {
    scene.take("a");
    ScriptedEngine.Rule away = scene.engine.always(ScriptedEngine.Kind.LEAVE, Faults.down());
    Runnable ignored = scene.world.schedule(Duration.ofSeconds(1).toNanos(), away::end);
    assertThat(closing()).isLessThanOrEqualTo(OPERATION);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void aStoreThatIsOnlySlowIsAskedAgain() throws Exception {
    scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.down());
    scene.engine.next(
        ScriptedEngine.Kind.LEAVE,
        new ScriptedEngine.Fault() {
          @Override
          public void before() throws EngineException {
            scene.world.pass(OPERATION);
            throw new EngineException.NotDone("no connection in time", null);
          }
        });
    assertThat(closing()).isLessThanOrEqualTo(OPERATION.multipliedBy(2));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void anAttemptThatMayHaveArrivedIsLeft(Primitive primitive) {
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    scene.engine.always(ScriptedEngine.Kind.ATTEMPT, Faults.down());
    CompletableFuture<Hold> asked =
        primitive.of(scene.view(), "a").acquireAsync(Duration.ofMinutes(1));
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(asked).isNotDone();
    assertThat(scene.engine.lines()).containsExactly("a");
    scene.client.close(Duration.ZERO);
    assertThat(scene.engine.lines()).isEmpty();
  }

  private void storeIsUnreachable() {
    for (ScriptedEngine.Kind kind : ScriptedEngine.Kind.values()) {
      scene.engine.always(kind, Faults.down());
    }
  }

  /** How long closing takes. */
  private Duration closing() {
    Duration before = scene.world.elapsed();
    scene.client.close(Duration.ZERO);
    return scene.world.elapsed().minus(before);
  }
}
