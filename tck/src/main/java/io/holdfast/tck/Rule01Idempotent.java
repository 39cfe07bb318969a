package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Left;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("rule 1, idempotent by ticket id")
interface Rule01Idempotent {

  /** As often as a client might repeat a verb whose answers get lost. */
  int TIMES = 5;

  @EveryMutex(once = true)
  default void u03_a_repeated_attempt_keeps_its_token(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Ticket ticket = dress.ticket(actor, dress.resource(stage, "again"));
    long token = actor.in(ticket).token();
    for (int i = 1; i < TIMES; i++) {
      assertThat(actor.in(ticket).token()).isEqualTo(token);
    }
    assertThat(actor.leave(ticket)).isEqualTo(Left.HOLDING);
    assertThat(stage.standing("again").orElse(dress.drained()))
        .as("tickets after one leave")
        .isEqualTo(dress.drained());
  }

  @EveryMutex(once = true)
  default void a_repeated_attempt_of_a_granted_ticket_renews_it(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Ticket ticket = dress.ticket(actor, dress.resource(stage, "renews"));
    long token = actor.in(ticket).token();
    Duration most = stage.lease().multipliedBy(6).dividedBy(10);
    stage.time().pass(most);
    actor.in(ticket);
    stage.time().pass(most);
    actor.renewed(ticket);
    assertThat(actor.in(ticket).token()).isEqualTo(token);
  }

  @EveryMutex(ordered = true)
  default void a_repeated_attempt_of_a_waiter_keeps_its_place(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor other = stage.actor();
    Resource resource = dress.resource(stage, "place");
    Ticket holder = dress.ticket(actor, resource);
    Ticket first = dress.ticket(actor, resource);
    Ticket second = dress.ticket(other, resource);
    actor.in(holder);
    actor.out(first);
    other.out(second);
    for (int i = 1; i < TIMES; i++) {
      actor.out(first);
    }
    assertThat(stage.standing("place").orElse(3 + dress.drained())).isEqualTo(3 + dress.drained());
    actor.leave(holder);
    other.out(second);
    actor.in(first);
  }

  @EveryMutex(once = true)
  default void a_repeated_renewal_changes_nothing_more(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Ticket ticket = dress.ticket(actor, dress.resource(stage, "renew"));
    long token = actor.in(ticket).token();
    for (int i = 0; i < TIMES; i++) {
      actor.renewed(ticket);
    }
    assertThat(actor.in(ticket).token()).isEqualTo(token);
  }

  @EveryMutex(once = true)
  default void u10_a_repeated_leave_does_not_touch_the_next_holder(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "leave");
    Ticket mine = dress.ticket(actor, resource);
    Ticket theirs = dress.ticket(rival, resource);
    actor.in(mine);
    assertThat(actor.leave(mine)).isEqualTo(Left.HOLDING);
    long token = rival.in(theirs).token();
    for (int i = 0; i < TIMES; i++) {
      assertThat(actor.leave(mine)).isEqualTo(Left.NOTHING);
    }
    rival.renewed(theirs);
    assertThat(rival.in(theirs).token()).isEqualTo(token);
  }

  @EveryMutex(once = true)
  default void u10_nobody_can_leave_or_renew_with_the_id_of_another(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor stranger = stage.actor();
    Resource resource = dress.resource(stage, "stranger");
    Ticket mine = dress.ticket(actor, resource);
    actor.in(mine);
    Ticket guess = dress.ticket(stranger, resource);
    assertThat(stranger.leave(guess)).isEqualTo(Left.NOTHING);
    stranger.gone(guess);
    actor.renewed(mine);
    stranger.out(guess);
  }

  @Test
  @Needs(Need.ONCE)
  default void a_repeated_settle_answers_the_same_and_keeps_one_mark(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Ticket ticket = actor.ticket(stage.resource("settle"), Shape.once());
    actor.in(ticket);
    Duration keep = stage.lease();
    for (int i = 0; i < TIMES; i++) {
      assertThat(actor.settle(ticket, keep)).as("settle number %s", i + 1).isTrue();
    }
    Actor rival = stage.actor();
    Ticket late = rival.ticket(stage.resource("settle"), Shape.once());
    assertThat(rival.done(late).left()).isLessThanOrEqualTo(keep);
    rival.leave(late);
  }

  @Test
  @Needs(Need.SEMAPHORE)
  default void a_repeated_resize_answers_the_same(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("resize");
    actor.in(actor.ticket(resource, Shape.semaphore(2)));
    Ticket larger = actor.ticket(resource, Shape.semaphore(3));
    for (int i = 0; i < TIMES; i++) {
      assertThat(actor.resize(larger)).isTrue();
    }
    actor.in(actor.ticket(resource, Shape.semaphore(3)));
    actor.in(actor.ticket(resource, Shape.semaphore(3)));
    actor.out(actor.ticket(resource, Shape.semaphore(3)));
  }

  @EveryMutex(once = true)
  default void verbs_run_five_times_leave_what_one_run_leaves(Stage stage, Dress dress)
      throws Exception {
    assertThat(played(stage, dress, "often", TIMES)).isEqualTo(played(stage, dress, "one", 1));
  }

  /** What the line looks like when each verb was run so often. */
  private static List<String> played(Stage stage, Dress dress, String name, int times)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, name);
    Ticket gone = dress.ticket(actor, resource);
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(actor, resource);
    for (Ticket ticket : List.of(gone, holder, waiter)) {
      for (int i = 0; i < times; i++) {
        actor.attempt(ticket);
      }
      for (int i = 0; i < times && ticket.equals(gone); i++) {
        actor.leave(ticket);
      }
    }
    Standing standing = actor.attempt(waiter);
    assertThat(standing).isInstanceOf(Standing.Waiting.class);
    if (stage.inspector().isEmpty()) {
      return List.of();
    }
    return stage.inspector().get().show(resource).orElseThrow().tickets().stream()
        .map(Rule01Idempotent::described)
        .toList();
  }

  private static String described(TicketView view) {
    return view.state() + " of weight " + view.weight();
  }
}
