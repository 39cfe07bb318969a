package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.EngineInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When a hold is renewed, and what the replies change. */
class RenewalTest {

  /** Moves the time to the next renewal; returns when that was. */
  private static Duration nextRenewal(HoldScene scene) {
    int before = scene.renewals();
    scene.world.advanceUntil("a renewal", Duration.ofSeconds(12), () -> scene.renewals() > before);
    return scene.world.elapsed();
  }

  @Test
  void theFirstRenewalComesAfterAThirdOfTheLeaseGiveOrTakeATenth() throws Exception {
    Set<Duration> times = new HashSet<>();
    for (int seed = 0; seed < 200; seed++) {
      HoldScene scene = new HoldScene(seed, o -> o);
      HoldHandle hold = scene.take("a");
      Duration at = nextRenewal(scene);
      assertThat(at).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
      assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
      times.add(at);
    }
    assertThat(times).hasSizeGreaterThan(80);
  }

  @Test
  void theNextOneComesAThirdAfterTheLast() throws Exception {
    HoldScene scene = new HoldScene();
    scene.take("a");
    Duration last = nextRenewal(scene);
    for (int i = 0; i < 50; i++) {
      Duration next = nextRenewal(scene);
      assertThat(next.minus(last)).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
      last = next;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void u07AHoldIsKeptForADayWithoutALeaseThatLong(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take(primitive, "a");
    for (int i = 0; i < 24 * 60; i++) {
      scene.world.advance(Duration.ofMinutes(1));
      assertThat(hold.remaining()).isGreaterThan(Duration.ofSeconds(16));
    }
    assertThat(scene.renewals()).isBetween(24 * 60 * 6 * 9 / 10, 24 * 60 * 6 * 11 / 10);
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void allThatFallsDueTogetherIsRenewedTogether() throws Exception {
    HoldScene scene = new HoldScene();
    for (int i = 0; i < 100; i++) {
      scene.take("n" + i);
    }
    List<Duration> times = new ArrayList<>();
    while (scene.renewals() < 100) {
      int before = scene.renewals();
      times.add(nextRenewal(scene));
      assertThat(scene.renewals()).isGreaterThan(before);
    }
    // Each may go a twentieth of the lease early to share a batch: two seconds of spread, 1.5
    // early.
    assertThat(times).hasSizeLessThanOrEqualTo(3);
    assertThat(times.get(0)).isGreaterThanOrEqualTo(Duration.ofMillis(7_500));
  }

  @Test
  void afterAFailureTheNextTryComesSoonAndThenLessAndLessOften() throws Exception {
    HoldScene scene = new HoldScene();
    scene.take("a");
    scene.renewalsFail();
    List<Duration> at = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      at.add(nextRenewal(scene));
    }
    long[] millis = {250, 500, 1_000, 2_000, 4_000, 4_000};
    for (int i = 0; i < millis.length; i++) {
      Duration pause = at.get(i + 1).minus(at.get(i));
      assertThat(pause)
          .as("pause %d", i)
          .isBetween(Duration.ofMillis(millis[i] * 9 / 10), Duration.ofMillis(millis[i] * 11 / 10));
    }
  }

  @Test
  void aShortLeaseRetriesSoonerAndItsPauseNeverPassesASixthOfIt() throws Exception {
    HoldScene scene = new HoldScene(o -> o.withLease(Duration.ofSeconds(2)));
    scene.take("a");
    scene.renewalsFail();
    List<Duration> at = new ArrayList<>();
    at.add(nextRenewal(scene));
    assertThat(at.get(0)).isBetween(Duration.ofMillis(600), Duration.ofMillis(734));
    for (int i = 0; i < 3; i++) {
      at.add(nextRenewal(scene));
    }
    assertThat(at.get(1).minus(at.get(0))).isBetween(Duration.ofMillis(90), Duration.ofMillis(110));
    assertThat(at.get(2).minus(at.get(1)))
        .isBetween(Duration.ofMillis(180), Duration.ofMillis(220));
    assertThat(at.get(3).minus(at.get(2)))
        .isBetween(Duration.ofMillis(299), Duration.ofMillis(367));
  }

  @Test
  void aRenewalThatFailedOnceAndThenSucceedsCostsTheHolderNothing() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.RENEW, Faults.down());
    nextRenewal(scene);
    assertThat(hold.remaining()).isLessThan(Duration.ofSeconds(20));
    Duration succeeded = nextRenewal(scene);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
    assertThat(nextRenewal(scene).minus(succeeded)).isGreaterThan(Duration.ofSeconds(8));
    assertThat(scene.events(HoldfastListener.RenewalFailed.class))
        .containsExactly(
            new HoldfastListener.RenewalFailed("untagged", Kind.MUTEX, "connection refused"));
  }

  @Test
  void anUnknownReplyChangesNothing() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.RENEW, Faults.answerLost());
    Duration at = nextRenewal(scene);
    assertThat(hold.isHeld()).isTrue();
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minus(at));
    assertThat(hold.loss()).isEmpty();
    nextRenewal(scene);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Primitive.class,
      names = {"FIXED"},
      mode = EnumSource.Mode.EXCLUDE)
  void aStoreThatSaysGoneEndsTheHoldAtOnce(Primitive primitive) throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take(primitive, "a");
    List<Loss> reported = new ArrayList<>();
    hold.onLoss(reported::add);
    EngineInspector.Verdict verdict =
        scene.inspector().evict(HoldScene.resource("a"), hold.token(), "maintenance");
    assertThat(verdict).isEqualTo(EngineInspector.Verdict.DONE);
    assertThat(hold.isHeld()).isTrue();
    nextRenewal(scene);
    assertThat(hold.isHeld()).isFalse();
    assertThat(reported).hasSize(1);
    assertThat(reported.get(0).cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(reported.get(0).reason()).contains("maintenance", "a at memory:");
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(reported).hasSize(1);
    assertThat(scene.client.renewals().size()).isZero();
  }

  @Test
  void aHoldWithAFixedLeaseIsNeverRenewed() throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle hold = scene.take(Primitive.FIXED, "a");
    scene.world.advance(HoldScene.BELIEVED.minusNanos(1));
    assertThat(hold.isHeld()).isTrue();
    scene.world.advance(Duration.ofNanos(1));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
    assertThat(scene.renewals()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"41, 2000", "60, 2000", "3600, 2000", "86400, 2000", "30, 100", "2, 50", "60, 30000"})
  void everyLeaseIsRenewedAboutThreeTimesWhateverTheOperationTimeout(long seconds, long millis) {
    // Within a time: the timer of a client must not go round in circles.
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          Duration lease = Duration.ofSeconds(seconds);
          HoldScene lasting =
              new HoldScene(
                  options ->
                      options.withLease(lease).withOperationTimeout(Duration.ofMillis(millis)));
          HoldHandle hold = lasting.take("a");
          lasting.world.advance(lease.multipliedBy(10));
          assertThat(hold.isHeld()).isTrue();
          assertThat(lasting.renewals()).isBetween(27, 40);
        });
  }
}
