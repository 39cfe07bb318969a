package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 4, a dead waiter vanishes like a dead holder")
interface Rule04DeadWaiters {

  /** Enough that one lease each would exceed any tolerance. */
  int DEAD = 12;

  @EveryMutexKind(once = true)
  default void u24_dead_waiters_cost_one_lease_in_total(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient dying = fixture.verbClient();
    VerbClient alive = fixture.verbClient();
    Resource resource = kind.resource(fixture, "queue");
    Ticket holder = kind.ticket(client, resource);
    client.expectGranted(holder);
    for (int i = 0; i < DEAD; i++) {
      dying.expectWaiting(kind.ticket(dying, resource));
    }
    Ticket last = kind.ticket(alive, resource);
    alive.expectWaiting(last);
    client.leave(holder);
    dying.kill();
    alive.awaitGranted(last, fixture.leaseAtMost());
  }

  @EveryMutexKind(once = true)
  default void a_dead_holder_and_dead_waiters_cost_one_lease_in_total(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient dying = fixture.verbClient();
    VerbClient alive = fixture.verbClient();
    Resource resource = kind.resource(fixture, "all");
    dying.expectGranted(kind.ticket(dying, resource));
    for (int i = 0; i < DEAD; i++) {
      dying.expectWaiting(kind.ticket(dying, resource));
    }
    Ticket last = kind.ticket(alive, resource);
    alive.expectWaiting(last);
    dying.kill();
    alive.awaitGranted(last, fixture.leaseAtMost());
  }

  @EveryMutexKind(ordered = true)
  default void a_waiter_that_repeats_its_attempt_keeps_its_place(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "alive");
    Ticket holder = kind.ticket(client, resource);
    Ticket patient = kind.ticket(client, resource);
    Ticket later = kind.ticket(rival, resource);
    client.expectGranted(holder);
    client.expectWaiting(patient);
    rival.expectWaiting(later);
    for (int third = 0; third < 6; third++) {
      fixture.time().pass(fixture.lease().dividedBy(3));
      client.expectRenewed(holder);
      client.expectWaiting(patient);
      rival.expectWaiting(later);
    }
    client.leave(holder);
    rival.expectWaiting(later);
    client.expectGranted(patient);
  }

  @EveryMutexKind(once = true)
  default void a_ticket_that_does_not_wait_leaves_nothing_behind(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "passing");
    Ticket holder = kind.ticket(client, resource);
    client.expectGranted(holder);
    for (int i = 0; i < DEAD; i++) {
      rival.expectWaiting(rival.withoutWaiting(resource, kind.shape()));
    }
    assertThat(fixture.ticketCount("passing").orElse(1 + kind.fillerTickets()))
        .isEqualTo(1 + kind.fillerTickets());
    assertThat(client.expectRenewed(holder).wanted())
        .as("wanted by tickets that do not wait")
        .isFalse();
    client.leave(holder);
    client.expectGranted(kind.ticket(client, resource));
  }

  @EveryMutexKind(once = true)
  default void dead_tickets_do_not_stay_in_the_store(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient dying = fixture.verbClient();
    Resource resource = kind.resource(fixture, "clean");
    dying.expectGranted(kind.ticket(dying, resource));
    dying.expectWaiting(kind.ticket(dying, resource));
    dying.kill();
    Duration bound = fixture.leaseAtMost();
    fixture
        .time()
        .until(
            "the line is empty",
            bound,
            () ->
                fixture.ticketCount("clean").orElse(kind.fillerTickets()) == kind.fillerTickets());
    VerbClient alive = fixture.verbClient();
    Standing standing = alive.attempt(alive.withoutWaiting(resource, kind.shape()));
    if (fixture.inspector().isPresent()) {
      assertThat(standing).isInstanceOf(Standing.Granted.class);
    }
  }
}
