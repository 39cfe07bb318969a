package io.holdfast.tck.conformance;

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

  /** How often a client may repeat a verb without a reply. */
  int TIMES = 5;

  @EveryMutexKind(once = true)
  default void u03_a_repeated_attempt_keeps_its_token(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Ticket ticket = kind.ticket(client, kind.resource(fixture, "again"));
    long token = client.expectGranted(ticket).token();
    for (int i = 1; i < TIMES; i++) {
      assertThat(client.expectGranted(ticket).token()).isEqualTo(token);
    }
    assertThat(client.leave(ticket)).isEqualTo(Left.HOLDING);
    assertThat(fixture.ticketCount("again").orElse(kind.fillerTickets()))
        .as("tickets after one leave")
        .isEqualTo(kind.fillerTickets());
  }

  @EveryMutexKind(once = true)
  default void a_repeated_attempt_of_a_granted_ticket_renews_it(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Ticket ticket = kind.ticket(client, kind.resource(fixture, "renews"));
    long token = client.expectGranted(ticket).token();
    Duration most = fixture.lease().multipliedBy(6).dividedBy(10);
    fixture.time().pass(most);
    client.expectGranted(ticket);
    fixture.time().pass(most);
    client.expectRenewed(ticket);
    assertThat(client.expectGranted(ticket).token()).isEqualTo(token);
  }

  @EveryMutexKind(ordered = true)
  default void a_repeated_attempt_of_a_waiter_keeps_its_place(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    Resource resource = kind.resource(fixture, "place");
    Ticket holder = kind.ticket(client, resource);
    Ticket first = kind.ticket(client, resource);
    Ticket second = kind.ticket(other, resource);
    client.expectGranted(holder);
    client.expectWaiting(first);
    other.expectWaiting(second);
    for (int i = 1; i < TIMES; i++) {
      client.expectWaiting(first);
    }
    assertThat(fixture.ticketCount("place").orElse(3 + kind.fillerTickets()))
        .isEqualTo(3 + kind.fillerTickets());
    client.leave(holder);
    other.expectWaiting(second);
    client.expectGranted(first);
  }

  @EveryMutexKind(once = true)
  default void a_repeated_renewal_changes_nothing(KitFixture fixture, MutexKind kind)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Ticket ticket = kind.ticket(client, kind.resource(fixture, "renew"));
    long token = client.expectGranted(ticket).token();
    for (int i = 0; i < TIMES; i++) {
      client.expectRenewed(ticket);
    }
    assertThat(client.expectGranted(ticket).token()).isEqualTo(token);
  }

  @EveryMutexKind(once = true)
  default void u10_a_repeated_leave_does_not_affect_the_next_holder(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "leave");
    Ticket mine = kind.ticket(client, resource);
    Ticket theirs = kind.ticket(rival, resource);
    client.expectGranted(mine);
    assertThat(client.leave(mine)).isEqualTo(Left.HOLDING);
    long token = rival.expectGranted(theirs).token();
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.leave(mine)).isEqualTo(Left.NOTHING);
    }
    rival.expectRenewed(theirs);
    assertThat(rival.expectGranted(theirs).token()).isEqualTo(token);
  }

  @EveryMutexKind(once = true)
  default void u10_a_different_ticket_id_can_neither_leave_nor_renew(
      KitFixture fixture, MutexKind kind) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient stranger = fixture.verbClient();
    Resource resource = kind.resource(fixture, "stranger");
    Ticket mine = kind.ticket(client, resource);
    client.expectGranted(mine);
    Ticket guess = kind.ticket(stranger, resource);
    assertThat(stranger.leave(guess)).isEqualTo(Left.NOTHING);
    stranger.expectGone(guess);
    client.expectRenewed(mine);
    stranger.expectWaiting(guess);
  }

  @Test
  @Requires(Capability.ONCE)
  default void a_repeated_settle_returns_the_same_and_keeps_one_mark(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Ticket ticket = client.ticket(fixture.resource("settle"), Shape.once());
    client.expectGranted(ticket);
    Duration keep = fixture.lease();
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.settle(ticket, keep)).as("settle number %s", i + 1).isTrue();
    }
    VerbClient rival = fixture.verbClient();
    Ticket late = rival.ticket(fixture.resource("settle"), Shape.once());
    assertThat(rival.expectDone(late).left()).isLessThanOrEqualTo(keep);
    rival.leave(late);
  }

  @Test
  @Requires(Capability.SEMAPHORE)
  default void a_repeated_resize_returns_the_same(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("resize");
    client.expectGranted(client.ticket(resource, Shape.semaphore(2)));
    Ticket larger = client.ticket(resource, Shape.semaphore(3));
    for (int i = 0; i < TIMES; i++) {
      assertThat(client.resize(larger)).isTrue();
    }
    client.expectGranted(client.ticket(resource, Shape.semaphore(3)));
    client.expectGranted(client.ticket(resource, Shape.semaphore(3)));
    client.expectWaiting(client.ticket(resource, Shape.semaphore(3)));
  }

  @EveryMutexKind(once = true)
  default void repeated_verbs_leave_the_same_line_as_single_verbs(
      KitFixture fixture, MutexKind kind) throws Exception {
    assertThat(played(fixture, kind, "often", TIMES)).isEqualTo(played(fixture, kind, "one", 1));
  }

  /** Runs each verb this many times and returns the tickets in line. */
  private static List<String> played(KitFixture fixture, MutexKind kind, String name, int times)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = kind.resource(fixture, name);
    Ticket gone = kind.ticket(client, resource);
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(client, resource);
    for (Ticket ticket : List.of(gone, holder, waiter)) {
      for (int i = 0; i < times; i++) {
        client.attempt(ticket);
      }
      for (int i = 0; i < times && ticket.equals(gone); i++) {
        client.leave(ticket);
      }
    }
    Standing standing = client.attempt(waiter);
    assertThat(standing).isInstanceOf(Standing.Waiting.class);
    if (fixture.inspector().isEmpty()) {
      return List.of();
    }
    return fixture.inspector().get().show(resource).orElseThrow().tickets().stream()
        .map(Rule01Idempotent::described)
        .toList();
  }

  private static String described(TicketView view) {
    return view.state() + " of weight " + view.weight();
  }
}
