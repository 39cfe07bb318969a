package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import org.junit.jupiter.api.DisplayName;

@DisplayName("rule 5, renew never joins, resurrects or steals")
interface Rule05RenewNeverJoins {

  @EveryMutexKind(once = true)
  default void renewing_an_unknown_ticket_does_not_join(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "never");
    Renewal.Gone gone = client.expectGone(kind.ticket(client, resource));
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.UNKNOWN_TICKET);
    assertThat(fixture.ticketCount("never").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
    client.expectGranted(kind.ticket(client, resource));
  }

  @EveryMutexKind(once = true)
  default void renewing_a_waiter_does_not_grant_it(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "waiter");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    rival.expectWaiting(waiter);
    assertThat(rival.renew(waiter)).isInstanceOf(Renewal.Gone.class);
    assertThat(client.expectGranted(holder).token()).isEqualTo(token);
    rival.expectWaiting(waiter);
  }

  @EveryMutexKind(once = true)
  default void u09_renewing_an_expired_ticket_does_not_resurrect_it(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "expired");
    Ticket lost = kind.ticket(client, resource);
    expire(fixture, kind, client, lost);
    renewalsAreGone(fixture, client, lost);
    rival.expectGranted(kind.ticket(rival, resource));
    renewalsAreGone(fixture, client, lost);
  }

  @EveryMutexKind(once = true)
  default void u09_a_late_renewal_leaves_an_empty_line_empty(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "between");
    Ticket lost = kind.ticket(client, resource);
    Ticket other = kind.ticket(rival, resource);
    expire(fixture, kind, client, lost);
    rival.expectGranted(other);
    assertThat(rival.leave(other)).isEqualTo(Left.HOLDING);
    renewalsAreGone(fixture, client, lost);
    assertThat(fixture.ticketCount("between").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
    rival.expectGranted(kind.ticket(rival, resource));
  }

  @EveryMutexKind(once = true)
  default void u09_a_late_renewal_does_not_steal_from_the_next_holder(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "next");
    Ticket lost = kind.ticket(client, resource);
    Ticket other = kind.ticket(rival, resource);
    expire(fixture, kind, client, lost);
    long token = rival.expectGranted(other).token();
    renewalsAreGone(fixture, client, lost);
    rival.expectRenewed(other);
    assertThat(rival.expectGranted(other).token()).isEqualTo(token);
  }

  @EveryMutexKind(once = true)
  default void renewing_never_shortens_a_lease(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (fixture.traits().sessionLease().isPresent()) {
      // Its tickets end with the session and have no lease of their own.
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "nearer");
    Ticket brief = kind.ticket(client, resource);
    Ticket lasting = brief.withLease(fixture.lease().multipliedBy(2));
    long token = client.expectGranted(lasting).token();
    client.expectRenewed(brief);
    assertThat(client.expectGranted(brief).token()).isEqualTo(token);
    fixture.time().pass(fixture.lease().plus(fixture.lease().dividedBy(4)));
    rival.expectWaiting(kind.ticket(rival, resource));
    assertThat(client.expectGranted(lasting).token()).as("the same grant").isEqualTo(token);
  }

  @EveryMutexKind(once = true)
  default void renewing_a_ticket_that_left_reports_gone(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "left");
    Ticket ticket = kind.ticket(client, resource);
    client.expectGranted(ticket);
    client.leave(ticket);
    renewalsAreGone(fixture, client, ticket);
    assertThat(fixture.ticketCount("left").orElse(kind.fillerTickets()))
        .isEqualTo(kind.fillerTickets());
  }

  @EveryMutexKind(once = true)
  default void an_expired_ticket_that_attempts_again_gets_a_higher_token(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (fixture.traits().sessionLease().isPresent()) {
      // Its tickets end with the session, and so does the client that could attempt again.
      return;
    }
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, "again");
    Ticket ticket = kind.ticket(client, resource);
    long token = client.expectGranted(ticket).token();
    fixture.time().pass(fixture.leaseAtMost());
    assertThat(client.awaitGranted(ticket, fixture.soon()).token()).isGreaterThan(token);
  }

  private static void expire(KitFixture fixture, MutexKind kind, VerbClient client, Ticket ticket)
      throws Exception {
    client.expectGranted(ticket);
    client.kill();
    fixture.time().pass(fixture.leaseAtMost());
    fixture
        .time()
        .until(
            "the ticket expires",
            fixture.soon(),
            () ->
                fixture.ticketCount(ticket.resource().name()).orElse(kind.fillerTickets())
                    == kind.fillerTickets());
  }

  /** Renews from the former holder, or from a new connection if its session is over. */
  private static void renewalsAreGone(KitFixture fixture, VerbClient client, Ticket ticket)
      throws Exception {
    VerbClient sender = fixture.traits().sessionLease().isPresent() ? fixture.verbClient() : client;
    for (int i = 0; i < 3; i++) {
      sender.expectGone(ticket);
    }
  }
}
