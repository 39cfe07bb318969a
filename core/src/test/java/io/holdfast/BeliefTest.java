package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.renew.Belief;
import io.holdfast.runtime.renew.HostClocks;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.runtime.renew.SendTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines, and the clock readings that belong to each of them. */
class BeliefTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final TestWorld world = new TestWorld();
  private final HostClocks clocks = new HostClocks(world);
  private final Belief renewed = belief(HoldfastOptions.DEFAULTS.withLease(LEASE));
  private final Belief fixed = belief(HoldfastOptions.DEFAULTS.withFixedLease(LEASE));

  private Belief belief(HoldfastOptions options) {
    return new Belief(clocks, new LeaseTerms(options, LEASE));
  }

  private Duration left(Belief belief) {
    return Duration.ofNanos(belief.remaining(world.nanoTime()));
  }

  @Test
  void nothingIsBelievedBeforeTheFirstReply() {
    assertThat(left(renewed)).isZero();
  }

  @Test
  void aSuspensionCountsFromTheSendingAlsoWhenAnotherVerbWasSentSince() {
    SendTime first = clocks.sending();
    world.stepWall(Duration.ofSeconds(10));
    SendTime unanswered = clocks.sending();
    renewed.confirm(first, LEASE);
    assertThat(left(renewed)).isEqualTo(Duration.ofMillis(18_400));
    renewed.confirm(unanswered, LEASE);
    assertThat(left(renewed)).isEqualTo(Duration.ofMillis(28_400));
  }

  @Test
  void aDeadlineThatOutlivesAnExtensionKeepsItsOwnClocks() {
    fixed.confirm(clocks.sending(), LEASE);
    world.stepWall(Duration.ofSeconds(10));
    fixed.confirm(clocks.sending(), Duration.ofSeconds(5));
    assertThat(left(fixed)).isEqualTo(Duration.ofMillis(18_400));
    assertThat(fixed.isSuspect()).isTrue();
  }

  @Test
  void anExtensionCountsWhereASuspensionHasLeftLessThanIt() {
    fixed.confirm(clocks.sending(), LEASE);
    world.stepWall(Duration.ofSeconds(27));
    fixed.confirm(clocks.sending(), Duration.ofSeconds(10));
    // 10 s less 5 % of them and 100 ms; 1.4 s were left.
    assertThat(left(fixed)).isEqualTo(Duration.ofMillis(9_400));
    assertThat(fixed.isSuspect()).isFalse();
  }

  @Test
  void theStoreMayKeepAnExtendedLeaseUntilTheLaterOfBothEnds() {
    fixed.confirm(clocks.sending(), LEASE);
    long first = fixed.endsAtStore();
    fixed.confirm(clocks.sending(), Duration.ofSeconds(5));
    assertThat(fixed.endsAtStore()).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 799, 800, 801, 5_000})
  void aSuspensionAndRatesThatDifferByTheDriftDoNotOutliveTheLease(long suspendedMillis) {
    // The store's clock is fast by the drift: of its 30 s only 28.5 s pass here. The suspension is
    // part of them, and the monotonic clock does not count it.
    renewed.confirm(clocks.sending(), LEASE);
    Duration suspended = Duration.ofMillis(suspendedMillis);
    world.stepWall(suspended);
    Duration atStore = LEASE.multipliedBy(95).dividedBy(100);
    world.advance(atStore.minus(suspended));
    assertThat(renewed.remaining(world.nanoTime())).as("the lease is over").isNotPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, -500, 49500",
    "0, 500, 50000",
    "1, -500, 49500",
    "799, -500, 49500",
    "800, -500, 49500",
    "801, -500, 49500",
    "801, 500, 50000",
    "5000, -500, 49500",
    "5000, -20000, 30000",
    "28000, -500, 49500",
    "28000, 500, 50000"
  })
  void theSlowerOfBothClocksMayBeSuspendedIfTheOtherKeepsTheDrift(
      long suspendedMillis, long wallPpm, long storePpm) {
    // Rates are parts per million against true time; the monotonic clock has the rate of the wall
    // clock while it runs. Store and wall clock differ by no more than the drift.
    renewed.confirm(clocks.sending(), LEASE);
    double trueNanos = LEASE.toNanos() / (1 + storePpm / 1e6);
    long wall = (long) (trueNanos * (1 + wallPpm / 1e6));
    long suspended = suspendedMillis * 1_000_000;
    world.stepWall(Duration.ofNanos(suspended));
    world.advance(Duration.ofNanos(wall - suspended));
    assertThat(renewed.remaining(world.nanoTime())).as("the lease is over").isNotPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 799, 800, 801, 5_000, 28_399})
  void beliefLastsUntilTheFirstOfBothClocksHasCountedIt(long suspendedMillis) {
    renewed.confirm(clocks.sending(), LEASE);
    world.stepWall(Duration.ofMillis(suspendedMillis));
    world.advance(Duration.ofMillis(28_399 - suspendedMillis));
    assertThat(left(renewed)).isEqualTo(Duration.ofMillis(1));
    world.advance(Duration.ofMillis(1));
    assertThat(left(renewed)).isZero();
  }

  @Test
  void doubtBeginsWhereASuspensionHasTakenMoreThanHalfOfTheSlack() {
    renewed.confirm(clocks.sending(), LEASE);
    world.stepWall(Duration.ofMillis(800));
    assertThat(renewed.isSuspect()).isFalse();
    world.stepWall(Duration.ofMillis(1));
    assertThat(renewed.isSuspect()).isTrue();
  }

  @Test
  void noHostIsSuspectedWhoseClocksDifferInRateByOnePercentForAWholeLease() {
    for (double drift : new double[] {0.02, 0.05, 0.25}) {
      for (long millis = 2_000; millis <= Duration.ofDays(1).toMillis(); millis = millis * 5 / 4) {
        Duration lease = Duration.ofMillis(millis);
        LeaseTerms terms =
            new LeaseTerms(lease, Duration.ZERO, drift, Duration.ofMillis(60), 0, false);
        Belief belief = new Belief(clocks, terms);
        belief.confirm(clocks.sending(), lease);
        world.stepWall(lease.dividedBy(100));
        assertThat(belief.isSuspect()).as("lease %s, drift %s", lease, drift).isFalse();
        world.stepWall(lease.dividedBy(4));
        assertThat(belief.isSuspect()).as("lease %s, drift %s", lease, drift).isTrue();
      }
    }
  }
}
