package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The limit of "left is final": a store remembers a departure for one lease.
 *
 * <p>An attempt that is delayed for longer joins again.
 */
class U04LateAttemptLimitTest {

  private static final Duration LEASE = HoldfastOptions.DEFAULTS.lease();

  /** An attempt that is still on its way when its caller has given up and left. */
  private static Verb.Attempt heldUp(WayOutScene scene) {
    scene.ask();
    Verb.Attempt attempt = (Verb.Attempt) scene.lane.all().get(0);
    scene.lane.loseRequest();
    scene.asked.cancel(true);
    scene.lane.runDry();
    assertThat(scene.lane.all().get(1))
        .isInstanceOfSatisfying(Verb.Leave.class, leave -> assertThat(leave.inDoubt()).isTrue());
    return attempt;
  }

  @ParameterizedTest
  @EnumSource
  void for_one_lease_after_its_leave_it_is_refused(Primitive primitive) {
    WayOutScene scene = new WayOutScene(primitive);
    Verb.Attempt attempt = heldUp(scene);
    scene.world.advance(LEASE.minusNanos(1));
    assertThatThrownBy(() -> scene.engine.attempt(attempt.ticket(), attempt.wake()))
        .isInstanceOf(EngineException.Refused.class);
    assertThat(scene.engine.lines()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void later_it_joins_for_one_lease_and_no_caller_holds_it(Primitive primitive) throws Exception {
    WayOutScene scene = new WayOutScene(primitive);
    Hold before = scene.rivalsDoor().tryAcquire().orElseThrow();
    before.release();
    Verb.Attempt attempt = heldUp(scene);
    scene.world.advance(LEASE);
    Standing standing = scene.engine.attempt(attempt.ticket(), attempt.wake());
    assertThat(standing)
        .isInstanceOfSatisfying(
            Standing.Granted.class,
            granted -> assertThat(granted.token()).isGreaterThan(before.token()));
    assertThat(scene.client.renewals().size()).as("no client renews it").isZero();

    CompletableFuture<Hold> rival = scene.rivalsDoor().acquireAsync(LEASE.multipliedBy(2));
    scene.world.advance(LEASE.minusNanos(1));
    assertThat(rival).as("it keeps rivals out").isNotDone();
    scene.world.advance(Duration.ofMillis(600));
    assertThat(rival).as("for one lease").isCompletedWithValueMatching(Hold::isHeld);
    assertThat(rival.join().token()).isGreaterThan(((Standing.Granted) standing).token());
    assertThat(scene.asked).as("and its caller has nothing").isCancelled();
  }
}
