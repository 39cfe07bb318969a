package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 5, renew never joins, resurrects or steals")
interface Rule05RenewNeverJoins {

  @EveryMutex(once = true)
  default void renewing_a_ticket_that_never_came_does_not_join(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "never");
    Renewal.Gone gone = actor.gone(dress.ticket(actor, resource));
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.UNKNOWN_TICKET);
    assertThat(stage.standing("never").orElse(dress.drained())).isEqualTo(dress.drained());
    actor.in(dress.ticket(actor, resource));
  }

  @EveryMutex(once = true)
  default void renewing_a_waiter_does_not_let_it_in(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "waiter");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    long token = actor.in(holder).token();
    rival.out(waiter);
    assertThat(rival.renew(waiter)).isInstanceOf(Renewal.Gone.class);
    assertThat(actor.in(holder).token()).isEqualTo(token);
    rival.out(waiter);
  }

  @EveryMutex(once = true)
  default void u09_renewing_what_expired_does_not_bring_it_back(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "expired");
    Ticket lost = dress.ticket(actor, resource);
    expire(stage, dress, actor, lost);
    renewalsAreGone(stage, actor, lost);
    rival.in(dress.ticket(rival, resource));
    renewalsAreGone(stage, actor, lost);
  }

  @EveryMutex(once = true)
  default void u09_a_late_renewal_finds_an_empty_store_and_leaves_it_empty(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "between");
    Ticket lost = dress.ticket(actor, resource);
    Ticket other = dress.ticket(rival, resource);
    expire(stage, dress, actor, lost);
    rival.in(other);
    assertThat(rival.leave(other)).isEqualTo(Left.HOLDING);
    renewalsAreGone(stage, actor, lost);
    assertThat(stage.standing("between").orElse(dress.drained())).isEqualTo(dress.drained());
    rival.in(dress.ticket(rival, resource));
  }

  @EveryMutex(once = true)
  default void u09_a_late_renewal_does_not_take_it_from_the_next_holder(Stage stage, Dress dress)
      throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "next");
    Ticket lost = dress.ticket(actor, resource);
    Ticket other = dress.ticket(rival, resource);
    expire(stage, dress, actor, lost);
    long token = rival.in(other).token();
    renewalsAreGone(stage, actor, lost);
    rival.renewed(other);
    assertThat(rival.in(other).token()).isEqualTo(token);
  }

  @EveryMutex(once = true)
  default void renewing_never_brings_the_end_nearer(Stage stage, Dress dress) throws Exception {
    if (stage.traits().sessionLease().isPresent()) {
      // Its tickets end with the session, and have no time of their own.
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "nearer");
    Ticket brief = dress.ticket(actor, resource);
    Ticket lasting = brief.withLease(stage.lease().multipliedBy(2));
    long token = actor.in(lasting).token();
    actor.renewed(brief);
    assertThat(actor.in(brief).token()).isEqualTo(token);
    stage.time().pass(stage.lease().plus(stage.lease().dividedBy(4)));
    rival.out(dress.ticket(rival, resource));
    assertThat(actor.in(lasting).token()).as("the same grant").isEqualTo(token);
  }

  @EveryMutex(once = true)
  default void renewing_what_has_left_is_gone(Stage stage, Dress dress) throws Exception {
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "left");
    Ticket ticket = dress.ticket(actor, resource);
    actor.in(ticket);
    actor.leave(ticket);
    renewalsAreGone(stage, actor, ticket);
    assertThat(stage.standing("left").orElse(dress.drained())).isEqualTo(dress.drained());
  }

  @EveryMutex(once = true)
  default void an_expired_ticket_that_asks_anew_gets_a_higher_token(Stage stage, Dress dress)
      throws Exception {
    if (stage.traits().sessionLease().isPresent()) {
      // Its tickets end with the session, and with the session goes who could ask anew.
      return;
    }
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "anew");
    Ticket ticket = dress.ticket(actor, resource);
    long token = actor.in(ticket).token();
    stage.time().pass(stage.leaseAtMost());
    assertThat(actor.getsIn(ticket, stage.soon()).token()).isGreaterThan(token);
  }

  private static void expire(Stage stage, Dress dress, Actor actor, Ticket ticket)
      throws Exception {
    actor.in(ticket);
    actor.dies();
    stage.time().pass(stage.leaseAtMost());
    stage
        .time()
        .until(
            "the ticket expires",
            stage.soon(),
            () ->
                stage.standing(ticket.resource().name()).orElse(dress.drained())
                    == dress.drained());
  }

  /** By the one who held it, or by a fresh connection where its own is dead. */
  private static void renewalsAreGone(Stage stage, Actor actor, Ticket ticket) throws Exception {
    Actor sender = stage.traits().sessionLease().isPresent() ? stage.actor() : actor;
    for (int i = 0; i < 3; i++) {
      sender.gone(ticket);
    }
  }
}
