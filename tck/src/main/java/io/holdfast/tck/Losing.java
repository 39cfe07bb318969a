package io.holdfast.tck;

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
interface Losing {

  Duration WAIT = Duration.ofHours(1);

  @EveryMutex
  default void u01_who_is_cut_off_learns_of_it_before_a_rival_gets_in(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "cut");
    Caller holder = stage.caller();
    Caller rival = stage.caller();
    Hold hold = dress.lock(holder.holdfast(), "cut").acquire(WAIT);
    Witness witness = new Witness(stage.time(), hold);
    Running<Hold> waits =
        stage.run("rival", () -> dress.lock(rival.holdfast(), "cut").acquire(WAIT));
    stage.time().until("the rival waits", stage.soon(), () -> rival.waits("cut") > 0);
    stage.kill(holder);
    long deadline = stage.time().now() + hold.remaining().toNanos();
    try (Hold next = waits.result(stage.leaseAtMost().plusSeconds(1))) {
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

  @EveryMutex
  default void u10_closing_what_was_lost_says_so_once_and_touches_nobody(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "close");
    Caller holder = stage.caller();
    Hold hold = dress.lock(holder.holdfast(), "close").acquire(WAIT);
    lose(stage, holder, hold);
    Caller rival = stage.caller();
    Running<Hold> taking =
        stage.run("rival", () -> dress.lock(rival.holdfast(), "close").acquire(WAIT));
    try (Hold next = taking.result(stage.leaseAtMost().plusSeconds(1))) {
      assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
      assertThat(hold.loss().map(Loss::cause)).isPresent();
      if (stage.traits().sessionLease().isEmpty()) {
        holder.engine().heal();
      }
      hold.close();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
      next.ensureHeld();
      stage.onlyRemain("close", 1 + dress.drained());
    }
  }

  @EveryMutex
  default void closing_a_lost_hold_throws_if_nobody_was_told(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "told");
    Caller holder = stage.caller();
    Hold hold = dress.lock(holder.holdfast(), "told").acquire(WAIT);
    lose(stage, holder, hold);
    assertThatThrownBy(hold::close)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("told");
  }

  @EveryMutex
  default void the_bodys_own_exception_is_not_masked_by_a_loss(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "mask");
    Caller holder = stage.caller();
    IllegalStateException mine = new IllegalStateException("the body's own");
    assertThatThrownBy(
            () ->
                dress
                    .lock(holder.holdfast(), "mask")
                    .call(
                        WAIT,
                        hold -> {
                          lose(stage, holder, hold);
                          throw mine;
                        }))
        .isSameAs(mine);
  }

  @EveryMutex
  default void u05_a_live_holder_renews_for_as_long_as_it_holds(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "long");
    Caller holder = stage.caller();
    Hold hold = dress.lock(holder.holdfast(), "long").acquire(WAIT);
    Witness witness = new Witness(stage.time(), hold);
    stage.time().pass(stage.lease().multipliedBy(2));
    TooLate.requireHeld(hold, "what a live holder renews");
    assertThat(hold.remaining()).isGreaterThan(stage.lease().dividedBy(3));
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    stage.onlyRemain("long", dress.drained());
    witness.checkNothing();
  }

  @EveryMutex
  default void u62_a_fixed_lease_ends_by_itself_unless_it_is_extended(Stage stage, Dress dress)
      throws Exception {
    if (stage.traits().sessionLease().isPresent()) {
      // The session's lease is kept by the session: it cannot be fixed for one hold.
      return;
    }
    dress.resource(stage, "fixed");
    Caller holder = stage.caller(options -> options.withFixedLease(stage.lease()));
    Hold hold = dress.lock(holder.holdfast(), "fixed").acquire(WAIT);
    stage.time().pass(stage.lease().dividedBy(2));
    Duration extended = hold.extend(stage.lease());
    assertThat(extended).isBetween(stage.lease().dividedBy(2), stage.lease());
    stage.time().pass(stage.lease().dividedBy(2));
    TooLate.requireHeld(hold, "what was extended");
    stage.time().pass(stage.lease());
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
    Caller rival = stage.caller();
    Running<Hold> taking =
        stage.run("rival", () -> dress.lock(rival.holdfast(), "fixed").acquire(WAIT));
    taking.result(stage.leaseAtMost().plusSeconds(1)).close();
  }

  @EveryMutex
  default void u62_an_extension_may_be_longer_than_the_lease_and_never_shortens(
      Stage stage, Dress dress) throws Exception {
    if (stage.traits().sessionLease().isPresent()) {
      return;
    }
    dress.resource(stage, "other");
    Duration shorter = stage.lease();
    Duration lease = shorter.multipliedBy(2);
    Duration longer = lease.multipliedBy(2);
    Caller holder = stage.caller(options -> options.withFixedLease(lease));
    Hold hold = dress.lock(holder.holdfast(), "other").acquire(WAIT);
    long token = hold.token();
    assertThat(hold.extend(longer)).isBetween(lease, longer);
    assertThat(hold.extend(shorter)).as("no less than before").isBetween(lease, longer);
    stage.time().pass(lease.plus(shorter.dividedBy(2)));
    TooLate.requireHeld(hold, "what was extended to more than it was taken for");
    assertThat(hold.token()).isEqualTo(token);
    stage.time().pass(longer.minus(lease));
    assertThat(hold.isHeld()).isFalse();
    assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.EXPIRED);
    Caller rival = stage.caller();
    Running<Hold> taking =
        stage.run("rival", () -> dress.lock(rival.holdfast(), "other").acquire(WAIT));
    taking.result(longer.plusSeconds(2)).close();
  }

  @Test
  @Needs({Need.ANY, Need.MANUAL_TIME})
  default void u01_a_suspended_host_does_not_believe_when_it_wakes(Stage stage) throws Exception {
    Hold hold = stage.caller().holdfast().lock("suspended").acquire(WAIT);
    Witness witness = new Witness(stage.time(), hold);
    stage.time().manual().suspend(stage.lease().plusSeconds(1));
    assertThat(hold.isHeld()).as("at once, before any timer has run").isFalse();
    if (stage.traits().sessionLease().isPresent()) {
      // Its session slept with it, if it lives in this process: the store knows nothing yet.
      return;
    }
    Actor rival = stage.actor();
    rival.in(Dress.MUTEX.ticket(rival, stage.resource("suspended")));
    stage.time().pass(stage.lease());
    witness.checkLostOnce();
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
  }

  /** Cuts the holder off and lets time pass until it knows. */
  private static void lose(Stage stage, Caller holder, Hold hold) {
    stage.kill(holder);
    stage.time().until("it is lost", stage.leaseAtMost(), () -> hold.loss().isPresent());
  }
}
