package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deadlines, and the clocks that each of them was taken with. */
class BeliefTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final TestWorld world = new TestWorld();
  private final HostClocks clocks = new HostClocks(world);
  private final Belief renewed = belief(HoldfastOptions.DEFAULTS.withLease(LEASE));
  private final Belief fixed = belief(HoldfastOptions.DEFAULTS.withFixedLease(LEASE));

  private Belief belief(HoldfastOptions options) {
    return new Belief(clocks, new Terms(options, LEASE));
  }

  private Duration left(Belief belief) {
    return Duration.ofNanos(belief.remaining(world.nanoTime()));
  }

  @Test
  void nothingIsBelievedBeforeTheStoreHasAnswered() {
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
}
