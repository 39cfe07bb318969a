package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("rule 3, durations only, counted from this call")
interface Rule03DurationsOnly {

  @EveryMutex(once = true)
  default void a_grant_is_kept_as_long_as_the_store_promised(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "kept");
    Ticket holder = dress.ticket(actor, resource);
    Standing.Granted granted = actor.in(holder);
    // A store that counts in whole seconds may promise less than asked for, never nothing.
    assertThat(granted.validFor()).isBetween(stage.lease().dividedBy(2), stage.leaseAtMost());
    Duration almost = granted.validFor().minus(justBefore(stage));
    stage.time().pass(almost);
    rival.out(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void a_renewal_counts_from_its_own_call(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "renewed");
    Ticket holder = dress.ticket(actor, resource);
    actor.in(holder);
    stage.time().pass(stage.lease().dividedBy(2));
    Duration validFor = actor.renewed(holder).validFor();
    assertThat(validFor).isBetween(stage.lease().dividedBy(2), stage.leaseAtMost());
    stage.time().pass(validFor.minus(justBefore(stage)));
    rival.out(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void a_lease_that_is_not_renewed_ends(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "ends");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    long token = actor.in(holder).token();
    actor.dies();
    Standing.Granted next = rival.getsIn(waiter, stage.leaseAtMost());
    assertThat(next.token()).isGreaterThan(token);
  }

  @EveryMutex(once = true)
  default void a_waiter_hears_for_how_long_the_holder_is_kept(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "holder");
    long token = actor.in(dress.ticket(actor, resource)).token();
    Standing.Waiting waiting = rival.out(dress.ticket(rival, resource));
    assertThat(waiting.retryAfter().isNegative()).as("retryAfter is negative").isFalse();
    if (dress != Dress.LAST_PERMIT && waiting.holder().isPresent()) {
      Standing.Holder holder = waiting.holder().get();
      assertThat(holder.token()).isEqualTo(token);
      assertThat(holder.remaining()).isBetween(Duration.ZERO, stage.leaseAtMost());
    }
  }

  @Test
  @Needs(Need.ONCE)
  default void a_mark_counts_down_and_ends(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("mark");
    Ticket runner = actor.ticket(resource, Shape.once());
    Ticket late = rival.ticket(resource, Shape.once());
    actor.in(runner);
    Duration keep = stage.lease().multipliedBy(2);
    assertThat(actor.settle(runner, keep)).isTrue();
    stage.time().pass(stage.lease());
    assertThat(rival.done(late).left())
        .isBetween(Duration.ZERO, keep.minus(stage.lease()).plusMillis(1));
    rival.getsIn(late, stage.leaseAtMost());
  }

  @Test
  @Needs({Need.ANY, Need.MANUAL_TIME})
  default void a_step_of_the_wall_clock_moves_no_lease_and_no_token_back(Stage stage)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("wall");
    Ticket holder = Dress.MUTEX.ticket(actor, resource);
    Ticket waiter = Dress.MUTEX.ticket(rival, resource);
    long token = actor.in(holder).token();
    stage.time().manual().stepWall(Duration.ofHours(1));
    rival.out(waiter);
    stage.time().manual().stepWall(Duration.ofHours(-2));
    rival.out(waiter);
    actor.renewed(holder);
    actor.leave(holder);
    assertThat(rival.getsIn(waiter, stage.soon()).token()).isGreaterThan(token);
  }

  /** Before the end of a lease by so much that the answer cannot come after it. */
  private static Duration justBefore(Stage stage) {
    return stage.time().isManual() ? Duration.ofMillis(1) : Duration.ofMillis(700);
  }
}
