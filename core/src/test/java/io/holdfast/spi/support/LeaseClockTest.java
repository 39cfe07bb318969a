package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.support.LeaseClock.Moment;
import org.junit.jupiter.api.Test;

class LeaseClockTest {

  private static final long SECOND = 1_000_000_000L;

  /** Close to the overflow of the clock: only differences may count. */
  private long nanos = Long.MAX_VALUE - SECOND;

  private long micros = 1_800_000_000_000_000L;

  /** How long the host is suspended after the next reading of either clock; once. */
  private long suspensionAfterReading;

  private final LeaseClock clock = new LeaseClock(this::readNanos, this::readMicros);

  private long readNanos() {
    long read = nanos;
    happen();
    return read;
  }

  private long readMicros() {
    long read = micros;
    happen();
    return read;
  }

  private void happen() {
    suspend(suspensionAfterReading);
    suspensionAfterReading = 0;
  }

  private void pass(long seconds) {
    nanos += seconds * SECOND;
    micros += seconds * 1_000_000;
  }

  private void suspend(long seconds) {
    micros += seconds * 1_000_000;
  }

  @Test
  void timePassesOnBothClocks() {
    Moment sent = clock.now();
    pass(3);
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(3 * SECOND);
    assertThat(clock.suspendedNanosSince(sent)).isZero();
    assertThat(clock.remainingNanos(sent, 10 * SECOND)).isEqualTo(7 * SECOND);
    assertThat(clock.nanoTime()).isEqualTo(nanos);
  }

  @Test
  void aSuspensionCountsAsTimeThatPassed() {
    Moment sent = clock.now();
    pass(2);
    suspend(5);
    pass(1);
    assertThat(clock.suspendedNanosSince(sent)).isEqualTo(5 * SECOND);
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(8 * SECOND);
    assertThat(clock.remainingNanos(sent, 10 * SECOND)).isEqualTo(2 * SECOND);
    assertThat(clock.remainingNanos(sent, 7 * SECOND)).isEqualTo(-SECOND);
  }

  @Test
  void aSuspensionBeforeTheMomentDoesNotCount() {
    suspend(5);
    Moment sent = clock.now();
    pass(1);
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(SECOND);
  }

  @Test
  void aWallClockThatGoesBackProlongsNothing() {
    Moment sent = clock.now();
    pass(2);
    suspend(-60);
    assertThat(clock.suspendedNanosSince(sent)).isZero();
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(2 * SECOND);
  }

  @Test
  void aSuspensionWhileAMomentIsTakenCounts() {
    suspensionAfterReading = 5;
    Moment sent = clock.now();
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(5 * SECOND);
  }

  @Test
  void aSuspensionWhileTimeIsMeasuredCounts() {
    Moment sent = clock.now();
    suspensionAfterReading = 5;
    assertThat(clock.elapsedNanosSince(sent)).isEqualTo(5 * SECOND);
    sent = clock.now();
    suspensionAfterReading = 4;
    assertThat(clock.suspendedNanosSince(sent)).isEqualTo(4 * SECOND);
    sent = clock.now();
    suspensionAfterReading = 3;
    assertThat(clock.remainingNanos(sent, 10 * SECOND)).isEqualTo(7 * SECOND);
  }

  @Test
  void suspensionsAddUp() {
    Moment sent = clock.now();
    suspend(1);
    pass(1);
    suspend(2);
    assertThat(clock.suspendedNanosSince(sent)).isEqualTo(3 * SECOND);
    assertThat(clock.suspendedNanosSince(sent, clock.nanoTime())).isEqualTo(3 * SECOND);
  }

  @Test
  void momentsCompareOnTheMonotonicClock() {
    Moment first = clock.now();
    pass(2);
    Moment second = clock.now();
    assertThat(second.isAfter(first)).isTrue();
    assertThat(first.isAfter(second)).isFalse();
    assertThat(first.isAfter(first)).isFalse();
    assertThat(second.minusNanos(2 * SECOND)).isEqualTo(first);
    assertThat(clock.elapsedNanosSince(second.minusNanos(SECOND))).isEqualTo(SECOND);
  }
}
