package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FenceGuard;
import io.holdfast.Outcome;
import io.holdfast.StaleTokenException;
import io.holdfast.spi.Order;
import java.time.Duration;

/** A holder is paused for longer than its lease, as by garbage collection. */
final class F02PausedHolder {

  private static final String NAME = "paused";
  private static final Duration NOTIFIED = Duration.ofMillis(100);

  private F02PausedHolder() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    FenceGuard guard = fixture.guard();
    FaultClient holder = fixture.start("holder", Ability.FREEZE);
    LocalFaultClient rival = fixture.open();
    FaultClaim held = fixture.take(holder, NAME, order);
    FaultClaim.Grant first = held.granted().join();
    guard.claim(NAME, first.token(), first.holdId());
    FaultClaim next = rival.acquire(NAME, order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, NAME, 1);

    Duration remaining = held.remaining();
    long frozen = fixture.now();
    holder.freeze();
    FaultClaim.Grant second =
        fixture.grantedWithin("holder frozen: next grant", next, frozen, fixture.leaseAtMost());
    // The holder's deadline may have been later, after one more renewal, but not earlier.
    assertThat(second.nanos() - frozen)
        .as("grant to the rival while the frozen holder may still believe")
        .isGreaterThan(remaining.toNanos());
    assertThatCode(() -> guard.claim(NAME, second.token(), second.holdId()))
        .as("the write of the newest holder")
        .doesNotThrowAnyException();

    long resumed = fixture.now();
    holder.resume();
    assertThat(held.isHeld()).as("the first look after the pause").isFalse();
    assertThatThrownBy(() -> guard.claim(NAME, first.token(), first.holdId()))
        .as("the late write of the old holder")
        .isInstanceOf(StaleTokenException.class);
    fixture.lostWithin("holder resumed: loss reported", held, resumed, NOTIFIED);
    fixture.release("the rival's hold", next);
    assertThat(held.release()).isEqualTo(Outcome.LOST);
    assertThat(held.losses()).as("notifications of one loss").hasSize(1);
    FaultClaim again = fixture.take(holder, NAME, order);
    assertThat(again.granted().join().token()).isGreaterThan(second.token());
    fixture.release("the hold after the loss", again);
  }
}
