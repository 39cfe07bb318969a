package io.holdfast.tck;

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

@DisplayName("the operator's side")
interface Inspecting {

  Duration WAIT = Duration.ofHours(1);

  @Test
  @Needs({Need.INSPECTOR, Need.FIFO})
  default void u17_it_shows_who_holds_and_who_waits_in_order(Stage stage) throws Exception {
    Resource resource = stage.resource("shown");
    assertThat(inspector(stage).show(resource)).isEmpty();
    List<Actor> actors = List.of(stage.actor(), stage.actor(), stage.actor());
    List<Ticket> tickets = new ArrayList<>();
    for (Actor actor : actors) {
      tickets.add(actor.fifo(resource));
      actor.attempt(tickets.get(tickets.size() - 1));
    }
    LineView line = inspector(stage).show(resource).orElseThrow();
    assertThat(line.resource()).isEqualTo(resource);
    assertThat(line.shape()).isEqualTo(Shape.mutex(Order.FIFO));
    assertThat(line.tickets())
        .extracting(TicketView::state)
        .containsExactly(
            TicketView.State.HOLDING, TicketView.State.WAITING, TicketView.State.WAITING);
    assertThat(line.tickets())
        .extracting(TicketView::owner)
        .containsExactlyElementsOf(tickets.stream().map(Ticket::owner).toList());
    assertThat(line.tickets().get(0).token()).isEqualTo(actors.get(0).in(tickets.get(0)).token());
    for (TicketView view : line.tickets()) {
      assertThat(view.leaseLeft()).isBetween(Duration.ZERO, stage.leaseAtMost());
      assertThat(view.age().isNegative()).isFalse();
    }
  }

  @Test
  @Needs({Need.INSPECTOR, Need.FIFO})
  default void no_secret_is_ever_shown(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("secret");
    Ticket ticket = actor.fifo(resource);
    actor.in(ticket);
    actor.out(actor.fifo(resource));
    String shown =
        inspector(stage).show(resource) + " " + inspector(stage).list(stage.namespace(), "", "", 9);
    assertThat(shown)
        .doesNotContain(ticket.id().encoded())
        .doesNotContain(Long.toHexString(ticket.id().high()))
        .doesNotContain(Long.toString(ticket.id().low()));
  }

  @Test
  @Needs({Need.INSPECTOR, Need.ANY})
  default void it_lists_page_by_page_in_the_order_of_names(Stage stage) throws Exception {
    Actor actor = stage.actor();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      names.add(String.format("page/%02d", i));
    }
    for (String name : List.of("paging", "Page/1", "other")) {
      actor.in(actor.ticket(stage.resource(name), Shape.mutex(Order.ANY)));
    }
    for (String name : names) {
      actor.in(actor.ticket(stage.resource(name), Shape.mutex(Order.ANY)));
    }
    List<String> listed = new ArrayList<>();
    String after = "";
    while (true) {
      List<LineView> page = inspector(stage).list(stage.namespace(), "page/", after, 10);
      page.forEach(line -> listed.add(line.resource().name()));
      if (page.isEmpty()) {
        break;
      }
      assertThat(page).hasSizeLessThanOrEqualTo(10);
      after = page.get(page.size() - 1).resource().name();
    }
    assertThat(listed).containsExactlyElementsOf(names);
    assertThat(inspector(stage).list(stage.namespace() + "2", "", "", 10)).isEmpty();
    assertThatThrownBy(() -> inspector(stage).list(stage.namespace(), "", "", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @EveryMutex(once = true)
  default void u18_one_that_is_asked_to_go_keeps_rivals_out_until_it_left(Stage stage, Dress dress)
      throws Exception {
    if (stage.inspector().isEmpty()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "revoked");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    long token = actor.in(holder).token();
    rival.out(waiter);
    assertThat(inspector(stage).revoke(resource, token, "deploy at 9")).isEqualTo(Verdict.DONE);
    rival.out(waiter);
    Renewal.Gone gone = actor.gone(holder);
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.REVOKED);
    assertThat(gone.reason()).contains("deploy at 9");
    rival.out(waiter);
    actor.leave(holder);
    assertThat(rival.getsIn(waiter, stage.soon()).token()).isGreaterThan(token);
  }

  @EveryMutex(once = true)
  default void u18_one_that_is_asked_to_go_and_does_not_is_out_with_its_lease(
      Stage stage, Dress dress) throws Exception {
    if (stage.inspector().isEmpty()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "stubborn");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    long token = actor.in(holder).token();
    inspector(stage).revoke(resource, token, "go");
    actor.gone(holder);
    if (stage.traits().sessionLease().isPresent()) {
      actor.dies();
    }
    rival.getsIn(waiter, stage.leaseAtMost());
  }

  @EveryMutex(once = true)
  default void u18_one_that_is_evicted_is_out_at_once_and_told_why(Stage stage, Dress dress)
      throws Exception {
    if (stage.inspector().isEmpty()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "evicted");
    Ticket holder = dress.ticket(actor, resource);
    Ticket waiter = dress.ticket(rival, resource);
    long token = actor.in(holder).token();
    rival.out(waiter);
    // Handed over within its client or not: it is the same grant.
    assertThat(inspector(stage).evict(resource, token + 5, "stuck")).isEqualTo(Verdict.DONE);
    long next = rival.getsIn(waiter, stage.soon()).token();
    assertThat(next).isGreaterThan(token);
    Renewal.Gone gone = actor.gone(holder);
    assertThat(gone.cause()).isEqualTo(Renewal.Cause.REVOKED);
    assertThat(gone.reason()).contains("stuck");
    assertThat(rival.in(waiter).token()).isEqualTo(next);
  }

  @EveryMutex(once = true)
  default void u18_an_old_token_takes_nothing_away(Stage stage, Dress dress) throws Exception {
    if (stage.inspector().isEmpty()) {
      return;
    }
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = dress.resource(stage, "stale");
    Ticket old = dress.ticket(actor, resource);
    Ticket current = dress.ticket(rival, resource);
    long stale = actor.in(old).token();
    actor.leave(old);
    long token = rival.in(current).token();
    assertThat(inspector(stage).evict(resource, stale, "late")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(inspector(stage).revoke(resource, stale, "late")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(inspector(stage).evict(resource, token + 1024, "early"))
        .isEqualTo(Verdict.NOT_CURRENT);
    rival.renewed(current);
    assertThat(inspector(stage).evict(stage.resource("nobody"), token, "wrong"))
        .isEqualTo(Verdict.NOT_CURRENT);
    rival.renewed(current);
  }

  @Test
  @Needs({Need.INSPECTOR, Need.ANY})
  default void u18_a_reason_must_be_given(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Ticket ticket = actor.ticket(stage.resource("why"), Shape.mutex(Order.ANY));
    long token = actor.in(ticket).token();
    assertThatThrownBy(() -> inspector(stage).evict(ticket.resource(), token, " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> inspector(stage).revoke(ticket.resource(), token, ""))
        .isInstanceOf(IllegalArgumentException.class);
    actor.renewed(ticket);
  }

  @Test
  @Needs({Need.INSPECTOR, Need.ANY})
  default void u18_an_evicted_program_hears_why_within_one_renewal(Stage stage) throws Exception {
    Hold hold = stage.caller().holdfast().lock("program").acquire(WAIT);
    inspector(stage).evict(stage.resource("program"), hold.token(), "moved to another host");
    stage.time().until("it is lost", stage.lease().dividedBy(2), () -> hold.loss().isPresent());
    Loss loss = hold.loss().orElseThrow();
    assertThat(loss.cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(loss.reason()).contains("moved to another host");
  }

  private static EngineInspector inspector(Stage stage) {
    return stage.inspector().orElseThrow();
  }
}
