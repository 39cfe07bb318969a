package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 8, left is final")
interface Rule08LeftIsFinal {

  @EveryMutexKind(once = true)
  default void u04_an_attempt_that_arrives_after_its_leave_does_not_join(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "late");
    Ticket ticket = kind.ticket(client, resource);
    assertThat(client.leaveInDoubt(ticket)).isEqualTo(Left.NOTHING);
    arrivesLate(client, ticket);
    assertThat(fixture.ticketCount("late").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
    rival.expectGranted(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void u04_a_late_repeated_attempt_does_not_resurrect_a_holder(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "holder");
    Ticket ticket = kind.ticket(client, resource);
    client.expectGranted(ticket);
    assertThat(client.leaveInDoubt(ticket)).isEqualTo(Left.HOLDING);
    arrivesLate(client, ticket);
    rival.expectGranted(kind.ticket(rival, resource));
    arrivesLate(client, ticket);
    assertThat(fixture.ticketCount("holder").orElse(1 + kind.fillerTickets()))
        .isEqualTo(1 + kind.fillerTickets());
  }

  @EveryMutexKind(once = true)
  default void u04_a_late_repeated_attempt_does_not_resurrect_a_waiter(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "waiter");
    Ticket holder = kind.ticket(rival, resource);
    Ticket ticket = kind.ticket(client, resource);
    rival.expectGranted(holder);
    client.expectWaiting(ticket);
    Left left = client.leaveInDoubt(ticket);
    if (kind.keepsOrder()) {
      assertThat(left).isEqualTo(Left.WAITING);
    }
    arrivesLate(client, ticket);
    assertThat(fixture.ticketCount("waiter").orElse(1 + kind.fillerTickets()))
        .isEqualTo(1 + kind.fillerTickets());
    rival.leave(holder);
    rival.expectGranted(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void a_repeated_leave_is_still_final(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "twice");
    Ticket ticket = kind.ticket(client, resource);
    client.leaveInDoubt(ticket);
    assertThat(client.leaveInDoubt(ticket)).isEqualTo(Left.NOTHING);
    assertThat(client.leave(ticket)).isEqualTo(Left.NOTHING);
    arrivesLate(client, ticket);
    assertThat(fixture.ticketCount("twice").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
  }

  @EveryMutexKind(once = true)
  default void a_late_attempt_in_a_batch_does_not_join(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "batched");
    Ticket ticket = kind.ticket(client, resource);
    client.expectGranted(ticket);
    AnswerRecorder<Left> left = new AnswerRecorder<>();
    client.lane().perform(List.of(new Verb.Leave(ticket, true, left)));
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    AnswerRecorder<Standing> late = new AnswerRecorder<>();
    client.lane().perform(List.of(new Verb.Attempt(ticket, VerbClient.IGNORED, late)));
    assertThat(late.times()).isEqualTo(1);
    rival.expectGranted(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void a_new_ticket_of_the_same_client_can_join_at_once(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "new");
    Ticket old = kind.ticket(client, resource);
    client.expectGranted(old);
    client.leaveInDoubt(old);
    client.expectGranted(kind.ticket(client, resource));
  }

  @EveryMutexKind(once = true)
  default void the_record_of_a_leave_ends_with_its_lease(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "forgotten");
    Ticket ticket = kind.ticket(client, resource);
    client.leaveInDoubt(ticket);
    fixture.time().pass(fixture.leaseAtMost());
    assertThat(fixture.ticketCount("forgotten").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
    client.expectGranted(kind.ticket(client, resource));
  }

  /** The late attempt may have any result, but must not be granted. */
  private static void arrivesLate(VerbClient client, Ticket ticket) throws EngineException {
    try {
      Standing standing = client.attempt(ticket);
      assertThat(standing).as("a late attempt").isNotInstanceOf(Standing.Granted.class);
    } catch (EngineException.Refused expected) {
      assertThat(expected).hasMessageContaining(ticket.resource().name());
    }
  }
}
