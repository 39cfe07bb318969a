package io.holdfast.tck;

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

  @EveryMutex(once = true)
  default void u04_an_attempt_that_arrives_after_its_leave_does_not_join(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "late");
    Ticket ticket = dress.ticket(actor, resource);
    assertThat(actor.leaveInDoubt(ticket)).isEqualTo(Left.NOTHING);
    arrivesLate(actor, ticket);
    assertThat(stage.standing("late").orElse(dress.drained())).isEqualTo(dress.drained());
    rival.in(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void u04_a_late_repetition_does_not_bring_a_holder_back(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "holder");
    Ticket ticket = dress.ticket(actor, resource);
    actor.in(ticket);
    assertThat(actor.leaveInDoubt(ticket)).isEqualTo(Left.HOLDING);
    arrivesLate(actor, ticket);
    rival.in(dress.ticket(rival, resource));
    arrivesLate(actor, ticket);
    assertThat(stage.standing("holder").orElse(1 + dress.drained())).isEqualTo(1 + dress.drained());
  }

  @EveryMutex(once = true)
  default void u04_a_late_repetition_does_not_bring_a_waiter_back(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "waiter");
    Ticket holder = dress.ticket(rival, resource);
    Ticket ticket = dress.ticket(actor, resource);
    rival.in(holder);
    actor.out(ticket);
    Left left = actor.leaveInDoubt(ticket);
    if (dress.keepsOrder()) {
      assertThat(left).isEqualTo(Left.WAITING);
    }
    arrivesLate(actor, ticket);
    assertThat(stage.standing("waiter").orElse(1 + dress.drained())).isEqualTo(1 + dress.drained());
    rival.leave(holder);
    rival.in(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void leaving_again_does_not_forget_that_it_left(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "twice");
    Ticket ticket = dress.ticket(actor, resource);
    actor.leaveInDoubt(ticket);
    assertThat(actor.leaveInDoubt(ticket)).isEqualTo(Left.NOTHING);
    assertThat(actor.leave(ticket)).isEqualTo(Left.NOTHING);
    arrivesLate(actor, ticket);
    assertThat(stage.standing("twice").orElse(dress.drained())).isEqualTo(dress.drained());
  }

  @EveryMutex(once = true)
  default void a_late_attempt_in_a_batch_does_not_join_either(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "batched");
    Ticket ticket = dress.ticket(actor, resource);
    actor.in(ticket);
    Slot<Left> left = new Slot<>();
    actor.lane().perform(List.of(new Verb.Leave(ticket, true, left)));
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    Slot<Standing> late = new Slot<>();
    actor.lane().perform(List.of(new Verb.Attempt(ticket, Actor.DEAF, late)));
    assertThat(late.times()).isEqualTo(1);
    rival.in(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void a_new_ticket_of_the_same_client_may_come_at_once(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "new");
    Ticket old = dress.ticket(actor, resource);
    actor.in(old);
    actor.leaveInDoubt(old);
    actor.in(dress.ticket(actor, resource));
  }

  @EveryMutex(once = true)
  default void the_memory_of_a_leave_ends_with_its_lease(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "forgotten");
    Ticket ticket = dress.ticket(actor, resource);
    actor.leaveInDoubt(ticket);
    stage.time().pass(stage.leaseAtMost());
    assertThat(stage.standing("forgotten").orElse(dress.drained())).isEqualTo(dress.drained());
    actor.in(dress.ticket(actor, resource));
  }

  /** It is refused, or hears something else; but it must not be in. */
  private static void arrivesLate(Actor actor, Ticket ticket) throws EngineException {
    try {
      Standing standing = actor.attempt(ticket);
      assertThat(standing).as("a late attempt").isNotInstanceOf(Standing.Granted.class);
    } catch (EngineException.Refused expected) {
      assertThat(expected).hasMessageContaining(ticket.resource().name());
    }
  }
}
