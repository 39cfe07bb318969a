package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("inspector")
interface InspectorChapter {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Requires({Capability.INSPECTOR, Capability.FIFO})
  default void u17_show_returns_holder_and_waiters_in_order(KitFixture fixture) throws Exception {
    Resource resource = fixture.resource("shown");
    assertThat(inspector(fixture).show(resource)).isEmpty();
    List<VerbClient> clients =
        List.of(fixture.verbClient(), fixture.verbClient(), fixture.verbClient());
    List<Ticket> tickets = new ArrayList<>();
    for (VerbClient client : clients) {
      tickets.add(client.fifo(resource));
      client.attempt(tickets.get(tickets.size() - 1));
    }
    LineView line = inspector(fixture).show(resource).orElseThrow();
    assertThat(line.resource()).isEqualTo(resource);
    assertThat(line.shape()).isEqualTo(Shape.mutex(Order.FIFO));
    assertThat(line.tickets())
        .extracting(TicketView::state)
        .containsExactly(
            TicketView.State.HOLDING, TicketView.State.WAITING, TicketView.State.WAITING);
    assertThat(line.tickets())
        .extracting(TicketView::owner)
        .containsExactlyElementsOf(tickets.stream().map(Ticket::owner).toList());
    assertThat(line.tickets().get(0).token())
        .isEqualTo(clients.get(0).expectGranted(tickets.get(0)).token());
    for (TicketView view : line.tickets()) {
      assertThat(view.leaseLeft()).isBetween(Duration.ZERO, fixture.leaseAtMost());
      assertThat(view.age().isNegative()).isFalse();
    }
  }

  @Test
  @Requires({Capability.INSPECTOR, Capability.FIFO})
  default void show_and_list_contain_no_secrets(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("secret");
    Ticket ticket = client.fifo(resource);
    client.expectGranted(ticket);
    client.expectWaiting(client.fifo(resource));
    String shown =
        inspector(fixture).show(resource)
            + " "
            + inspector(fixture).list(fixture.namespace(), "", "", 9);
    assertThat(shown)
        .doesNotContain(ticket.id().encoded())
        .doesNotContain(Long.toHexString(ticket.id().high()))
        .doesNotContain(Long.toString(ticket.id().low()));
  }

  @Test
  @Requires({Capability.INSPECTOR, Capability.ANY})
  default void list_returns_pages_in_the_order_of_names(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      names.add(String.format("page/%02d", i));
    }
    for (String name : List.of("paging", "Page/1", "other")) {
      client.expectGranted(client.ticket(fixture.resource(name), Shape.mutex(Order.ANY)));
    }
    for (String name : names) {
      client.expectGranted(client.ticket(fixture.resource(name), Shape.mutex(Order.ANY)));
    }
    List<String> listed = new ArrayList<>();
    String after = "";
    while (true) {
      List<LineView> page = inspector(fixture).list(fixture.namespace(), "page/", after, 10);
      page.forEach(line -> listed.add(line.resource().name()));
      if (page.isEmpty()) {
        break;
      }
      assertThat(page).hasSizeLessThanOrEqualTo(10);
      after = page.get(page.size() - 1).resource().name();
    }
    assertThat(listed).containsExactlyElementsOf(names);
    assertThat(inspector(fixture).list(fixture.namespace() + "2", "", "", 10)).isEmpty();
    assertThatThrownBy(() -> inspector(fixture).list(fixture.namespace(), "", "", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @EveryMutexKind(once = true)
  default void u18_a_revoked_holder_excludes_rivals_until_it_leaves(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (fixture.inspector().isEmpty()) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "revoked");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    rival.expectWaiting(waiter);
    assertThat(inspector(fixture).revoke(resource, token, "deploy at 9")).isEqualTo(Verdict.DONE);
    rival.expectWaiting(waiter);
    Renewal.Gone gone = client.expectGone(holder);
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.REVOKED);
    assertThat(gone.reason()).contains("deploy at 9");
    rival.expectWaiting(waiter);
    client.leave(holder);
    assertThat(rival.awaitGranted(waiter, fixture.soon()).token()).isGreaterThan(token);
  }

  @EveryMutexKind(once = true)
  default void u18_a_revoked_holder_that_stays_expires_with_its_lease(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (fixture.inspector().isEmpty()) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "stubborn");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    inspector(fixture).revoke(resource, token, "go");
    client.expectGone(holder);
    if (fixture.traits().sessionLease().isPresent()) {
      client.kill();
    }
    rival.awaitGranted(waiter, fixture.leaseAtMost());
  }

  @EveryMutexKind(once = true)
  default void u18_an_evicted_holder_is_gone_at_once_and_receives_the_reason(
      KitFixture fixture, MutexKind kind) throws Exception {
    if (fixture.inspector().isEmpty()) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "evicted");
    Ticket holder = kind.ticket(client, resource);
    Ticket waiter = kind.ticket(rival, resource);
    long token = client.expectGranted(holder).token();
    rival.expectWaiting(waiter);
    // A token after a hand-over within the client belongs to the same grant.
    assertThat(inspector(fixture).evict(resource, token + 5, "stuck")).isEqualTo(Verdict.DONE);
    long next = rival.awaitGranted(waiter, fixture.soon()).token();
    assertThat(next).isGreaterThan(token);
    Renewal.Gone gone = client.expectGone(holder);
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.REVOKED);
    assertThat(gone.reason()).contains("stuck");
    assertThat(rival.expectGranted(waiter).token()).isEqualTo(next);
  }

  @EveryMutexKind(once = true)
  default void u18_an_old_token_evicts_nothing(KitFixture fixture, MutexKind kind)
      throws Exception {
    if (fixture.inspector().isEmpty()) {
      return;
    }
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = kind.resource(fixture, "stale");
    Ticket old = kind.ticket(client, resource);
    Ticket current = kind.ticket(rival, resource);
    long stale = client.expectGranted(old).token();
    client.leave(old);
    long token = rival.expectGranted(current).token();
    assertThat(inspector(fixture).evict(resource, stale, "late")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(inspector(fixture).revoke(resource, stale, "late")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(inspector(fixture).evict(resource, token + 1024, "early"))
        .isEqualTo(Verdict.NOT_CURRENT);
    rival.expectRenewed(current);
    assertThat(inspector(fixture).evict(fixture.resource("nobody"), token, "wrong"))
        .isEqualTo(Verdict.NOT_CURRENT);
    rival.expectRenewed(current);
  }

  @Test
  @Requires({Capability.INSPECTOR, Capability.ANY})
  default void u18_a_reason_is_required(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Ticket ticket = client.ticket(fixture.resource("why"), Shape.mutex(Order.ANY));
    long token = client.expectGranted(ticket).token();
    assertThatThrownBy(() -> inspector(fixture).evict(ticket.resource(), token, " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> inspector(fixture).revoke(ticket.resource(), token, ""))
        .isInstanceOf(IllegalArgumentException.class);
    client.expectRenewed(ticket);
  }

  @Test
  @Requires({Capability.INSPECTOR, Capability.ANY})
  default void u18_an_evicted_client_receives_the_reason_within_one_renewal(KitFixture fixture)
      throws Exception {
    Hold hold = fixture.apiClient().holdfast().lock("program").acquire(WAIT);
    inspector(fixture).evict(fixture.resource("program"), hold.token(), "moved to another host");
    fixture.time().until("the loss", fixture.lease().dividedBy(2), () -> hold.loss().isPresent());
    Loss loss = hold.loss().orElseThrow();
    assertThat(loss.cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(loss.reason()).contains("moved to another host");
  }

  private static EngineInspector inspector(KitFixture fixture) {
    return fixture.inspector().orElseThrow();
  }
}
