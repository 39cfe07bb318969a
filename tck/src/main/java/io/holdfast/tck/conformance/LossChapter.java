package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.LockLostException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("loss")
interface LossChapter {

  Duration WAIT = Duration.ofHours(1);

  @EveryMutexKind
  default void u01_a_holder_that_is_cut_off_is_notified_before_a_rival_is_granted(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "cut");
    ApiClient holder = fixture.apiClient();
    ApiClient rival = fixture.apiClient();
    Hold hold = kind.lock(holder.holdfast(), "cut").acquire(WAIT);
    LossRecorder witness = new LossRecorder(fixture.time(), hold);
    BackgroundTask<Hold> waits =
        fixture.run("rival", () -> kind.lock(rival.holdfast(), "cut").acquire(WAIT));
    fixture.time().until("the rival in line", fixture.soon(), () -> rival.waits("cut") > 0);
    fixture.kill(holder);
    long deadline = fixture.time().now() + hold.remaining().toNanos();
    try (Hold next = waits.result(fixture.leaseAtMost().plusSeconds(1))) {
      witness.checkLostOnceBefore(waits.endedAt(), deadline);
      assertThat(next.token()).isGreaterThan(hold.token());
      assertThat(hold.isHeld()).isFalse();
      assertThat(hold.remaining()).isZero();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      hold.close();
      next.ensureHeld();
    }
    witness.checkNoMore();
  }

  @EveryMutexKind
  default void u10_releasing_a_lost_hold_reports_the_loss_and_affects_nobody(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "close");
    ApiClient holder = fixture.apiClient();
    Hold hold = kind.lock(holder.holdfast(), "close").acquire(WAIT);
    lose(fixture, holder, hold);
    ApiClient rival = fixture.apiClient();
    BackgroundTask<Hold> taking =
        fixture.run("rival", () -> kind.lock(rival.holdfast(), "close").acquire(WAIT));
    try (Hold next = taking.result(fixture.leaseAtMost().plusSeconds(1))) {
      assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
      assertThat(hold.loss().map(Loss::cause)).isPresent();
      if (fixture.traits().sessionLease().isEmpty()) {
        holder.engine().heal();
      }
      hold.close();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      next.ensureHeld();
      fixture.awaitTickets("close", 1 + kind.fillerTickets());
    }
  }

  @EveryMutexKind
  default void closing_a_lost_hold_throws_if_the_loss_was_not_seen(
      KitFixture fixture, MutexKind kind) throws Exception {
    kind.resource(fixture, "told");
    ApiClient holder = fixture.apiClient();
    Hold hold = kind.lock(holder.holdfast(), "told").acquire(WAIT);
    lose(fixture, holder, hold);
    assertThatThrownBy(hold::close)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("told");
  }

  @EveryMutexKind
  default void a_loss_does_not_mask_the_exception_of_the_body(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "mask");
    ApiClient holder = fixture.apiClient();
    IllegalStateException mine = new IllegalStateException("the body's own");
    assertThatThrownBy(
            () ->
                kind.lock(holder.holdfast(), "mask")
                    .call(
                        WAIT,
                        hold -> {
                          lose(fixture, holder, hold);
                          throw mine;
                        }))
        .isSameAs(mine);
  }

  @EveryMutexKind
  default void u05_a_live_holder_renews_while_it_holds(KitFixture fixture, MutexKind kind)
      throws Exception {
    kind.resource(fixture, "long");
    ApiClient holder = fixture.apiClient();
    Hold hold = kind.lock(holder.holdfast(), "long").acquire(WAIT);
    LossRecorder witness = new LossRecorder(fixture.time(), hold);
    fixture.time().pass(fixture.lease().multipliedBy(2));
    HoldAssertions.requireHeld(hold, "a hold that is renewed");
    assertThat(hold.remaining()).isGreaterThan(fixture.lease().dividedBy(3));
    HoldAssertions.requireReleased(hold);
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    fixture.awaitTickets("long", kind.fillerTickets());
    witness.checkNothing();
  }

  @EveryMutexKind
  default void u62_a_fixed_lease_ends_unless_it_is_extended(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (fixture.traits().sessionLease().isPresent()) {
      // The session keeps its lease: it cannot be fixed for one hold.
      return;
    }
    kind.resource(fixture, "fixed");
    ApiClient holder = fixture.apiClient(options -> options.withFixedLease(fixture.lease()));
    Hold hold = kind.lock(holder.holdfast(), "fixed").acquire(WAIT);
    fixture.time().pass(fixture.lease().dividedBy(2));
    Duration extended = hold.extend(fixture.lease());
    assertThat(extended).isBetween(fixture.lease().dividedBy(2), fixture.lease());
    fixture.time().pass(fixture.lease().dividedBy(2));
    HoldAssertions.requireHeld(hold, "an extended hold");
    fixture.time().pass(fixture.lease());
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
    ApiClient rival = fixture.apiClient();
    BackgroundTask<Hold> taking =
        fixture.run("rival", () -> kind.lock(rival.holdfast(), "fixed").acquire(WAIT));
    taking.result(fixture.leaseAtMost().plusSeconds(1)).close();
  }

  @EveryMutexKind
  default void u62_an_extension_may_be_longer_than_the_lease_and_never_shortens(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (fixture.traits().sessionLease().isPresent()) {
      return;
    }
    kind.resource(fixture, "other");
    Duration shorter = fixture.lease();
    Duration lease = shorter.multipliedBy(2);
    Duration longer = lease.multipliedBy(2);
    ApiClient holder = fixture.apiClient(options -> options.withFixedLease(lease));
    Hold hold = kind.lock(holder.holdfast(), "other").acquire(WAIT);
    long token = hold.token();
    assertThat(hold.extend(longer)).isBetween(lease, longer);
    assertThat(hold.extend(shorter)).as("not shortened").isBetween(lease, longer);
    fixture.time().pass(lease.plus(shorter.dividedBy(2)));
    HoldAssertions.requireHeld(hold, "a hold that was extended beyond its lease");
    assertThat(hold.token()).isEqualTo(token);
    fixture.time().pass(longer.minus(lease));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
    ApiClient rival = fixture.apiClient();
    BackgroundTask<Hold> taking =
        fixture.run("rival", () -> kind.lock(rival.holdfast(), "other").acquire(WAIT));
    taking.result(longer.plusSeconds(2)).close();
  }

  @Test
  @Requires({Capability.ANY, Capability.MANUAL_TIME})
  default void u01_a_suspended_host_does_not_believe_after_it_resumes(KitFixture fixture)
      throws Exception {
    Hold hold = fixture.apiClient().holdfast().lock("suspended").acquire(WAIT);
    LossRecorder witness = new LossRecorder(fixture.time(), hold);
    fixture.time().manual().suspend(fixture.lease().plusSeconds(1));
    assertThat(hold.isHeld()).as("before any timer has run").isFalse();
    if (fixture.traits().sessionLease().isPresent()) {
      // A session in this process was suspended too: the store knows nothing yet.
      return;
    }
    VerbClient rival = fixture.verbClient();
    rival.expectGranted(MutexKind.MUTEX.ticket(rival, fixture.resource("suspended")));
    fixture.time().pass(fixture.lease());
    witness.checkLostOnce();
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
  }

  /** Cuts the holder off and lets time pass until it has lost its hold. */
  private static void lose(KitFixture fixture, ApiClient holder, Hold hold) {
    fixture.kill(holder);
    fixture.time().until("the loss", fixture.leaseAtMost(), () -> hold.loss().isPresent());
  }
}
