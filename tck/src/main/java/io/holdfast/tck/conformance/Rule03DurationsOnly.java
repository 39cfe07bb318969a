package io.holdfast.tck.conformance;

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

  @EveryMutexKind(once = true)
  default void a_grant_is_kept_as_long_as_the_store_promised(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "kept");
    Ticket holder = kind.ticket(client, resource);
    Standing.Granted granted = client.expectGranted(holder);
    // A store that counts in whole seconds may promise less than requested, but not zero.
    assertThat(granted.validFor()).isBetween(fixture.lease().dividedBy(2), fixture.leaseAtMost());
    Duration almost = granted.validFor().minus(justBefore(fixture));
    fixture.time().pass(almost);
    rival.expectWaiting(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void a_renewal_counts_from_its_own_call(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "renewed");
    Ticket holder = kind.ticket(client, resource);
    client.expectGranted(holder);
    fixture.time().pass(fixture.lease().dividedBy(2));
    Duration validFor = client.expectRenewed(holder).validFor();
    assertThat(validFor).isBetween(fixture.lease().dividedBy(2), fixture.leaseAtMost());
    fixture.time().pass(validFor.minus(justBefore(fixture)));
    rival.expectWaiting(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void a_lease_that_is_not_renewed_ends(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "ends");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    client.kill();
    Standing.Granted next = rival.awaitGranted(waiter, fixture.leaseAtMost());
    assertThat(next.token()).isGreaterThan(token);
  }

  @EveryMutexKind(once = true)
  default void a_waiter_receives_the_remaining_lease_of_the_holder(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "holder");
    long token = client.expectGranted(kind.ticket(client, resource)).token();
    Standing.Waiting waiting = rival.expectWaiting(kind.ticket(rival, resource));
    assertThat(waiting.retryAfter().isNegative()).as("retryAfter is negative").isFalse();
    if (kind != MutexKind.LAST_PERMIT && waiting.holder().isPresent()) {
      Standing.Holder holder = waiting.holder().get();
      assertThat(holder.token()).isEqualTo(token);
      assertThat(holder.remaining()).isBetween(Duration.ZERO, fixture.leaseAtMost());
    }
  }

  @Test
  @Requires(Capability.ONCE)
  default void a_mark_counts_down_and_ends(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("mark");
    Ticket runner = client.ticket(resource, Shape.once());
    Ticket late = rival.ticket(resource, Shape.once());
    client.expectGranted(runner);
    Duration keep = fixture.lease().multipliedBy(2);
    assertThat(client.settle(runner, keep)).isTrue();
    fixture.time().pass(fixture.lease());
    assertThat(rival.expectDone(late).left())
        .isBetween(Duration.ZERO, keep.minus(fixture.lease()).plusMillis(1));
    rival.awaitGranted(late, fixture.leaseAtMost());
  }

  @Test
  @Requires({Capability.ANY, Capability.MANUAL_TIME})
  default void a_wall_clock_step_changes_no_lease_and_no_token_order(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("wall");
    Ticket holder = MutexKind.MUTEX.ticket(client, resource);
    Ticket waiter = MutexKind.MUTEX.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    fixture.time().manual().stepWall(Duration.ofHours(1));
    rival.expectWaiting(waiter);
    fixture.time().manual().stepWall(Duration.ofHours(-2));
    rival.expectWaiting(waiter);
    client.expectRenewed(holder);
    client.leave(holder);
    assertThat(rival.awaitGranted(waiter, fixture.soon()).token()).isGreaterThan(token);
  }

  /** How long before the end of a lease a reply surely arrives in time. */
  private static Duration justBefore(KitFixture fixture) {
    return fixture.time().isManual() ? Duration.ofMillis(1) : Duration.ofMillis(700);
  }
}
