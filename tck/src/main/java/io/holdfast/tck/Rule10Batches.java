package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("rule 10, a batch completes each verb on its own, exactly once")
interface Rule10Batches {

  int MANY = 16;
  int LARGE = 200;

  @Test
  default void every_verb_of_a_batch_is_completed_exactly_once(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Shape shape = shape(stage);
    Ticket holder = actor.ticket(stage.resource("held"), shape);
    Ticket leaver = actor.ticket(stage.resource("left"), shape);
    Ticket comer = actor.ticket(stage.resource("free"), shape);
    Ticket stranger = actor.ticket(stage.resource("unknown"), shape);
    actor.in(holder);
    actor.in(leaver);
    Slot<Renewal> renewed = new Slot<>();
    Slot<Left> left = new Slot<>();
    Slot<Standing> came = new Slot<>();
    Slot<Renewal> gone = new Slot<>();
    perform(
        actor,
        List.of(
            new Verb.Renew(holder, renewed),
            new Verb.Leave(leaver, false, left),
            new Verb.Attempt(comer, Actor.DEAF, came),
            new Verb.Renew(stranger, gone)));
    assertThat(renewed.get()).isInstanceOf(Renewal.Renewed.class);
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    assertThat(came.get()).isInstanceOf(Standing.Granted.class);
    assertThat(gone.get()).isInstanceOf(Renewal.Gone.class);
    assertThat(List.of(renewed.times(), left.times(), came.times(), gone.times())).containsOnly(1);
    actor.renewed(comer);
    actor.in(actor.ticket(stage.resource("left"), shape));
  }

  @Test
  @Needs({Need.ANY, Need.FIFO})
  default void one_bad_item_fails_alone(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor other = stage.actor();
    Shape shape = Shape.mutex(Order.ANY);
    other.in(other.ticket(stage.resource("b"), Shape.mutex(Order.FIFO)));
    List<Slot<Standing>> slots = new ArrayList<>();
    List<Verb> batch = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      Slot<Standing> slot = new Slot<>();
      slots.add(slot);
      batch.add(new Verb.Attempt(actor.ticket(stage.resource(name), shape), Actor.DEAF, slot));
    }
    perform(actor, batch);
    assertThat(slots.get(0).get()).isInstanceOf(Standing.Granted.class);
    assertThat(slots.get(1).failure()).isInstanceOf(EngineException.Refused.class);
    assertThat(slots.get(2).get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  default void a_batch_is_as_large_as_the_traits_say(Stage stage) throws Exception {
    Actor actor = stage.actor();
    int size = Math.min(stage.traits().batch(), LARGE);
    List<Slot<Standing>> slots = new ArrayList<>();
    List<Verb> attempts = new ArrayList<>();
    List<Verb> leaves = new ArrayList<>();
    List<Slot<Left>> lefts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Ticket ticket = actor.ticket(stage.resource("large-" + i), shape(stage));
      Slot<Standing> slot = new Slot<>();
      slots.add(slot);
      attempts.add(new Verb.Attempt(ticket, Actor.DEAF, slot));
      Slot<Left> left = new Slot<>();
      lefts.add(left);
      leaves.add(new Verb.Leave(ticket, false, left));
    }
    perform(actor, attempts);
    for (Slot<Standing> slot : slots) {
      assertThat(slot.get()).isInstanceOf(Standing.Granted.class);
    }
    perform(actor, leaves);
    for (Slot<Left> slot : lefts) {
      assertThat(slot.get()).isEqualTo(Left.HOLDING);
    }
  }

  @Test
  default void strangers_in_one_batch_exclude_each_other(Stage stage) throws Exception {
    Actor sender = stage.actor();
    Actor stranger = stage.actor();
    Shape shape = shape(stage);
    Ticket mine = sender.ticket(stage.resource("one"), shape);
    Ticket theirs = stranger.ticket(stage.resource("two"), shape);
    stranger.in(theirs);
    Slot<Standing> first = new Slot<>();
    Slot<Standing> second = new Slot<>();
    Ticket rival = sender.ticket(stage.resource("two"), shape);
    perform(
        sender,
        List.of(
            new Verb.Attempt(mine, Actor.DEAF, first),
            new Verb.Attempt(rival, Actor.DEAF, second)));
    assertThat(first.get()).isInstanceOf(Standing.Granted.class);
    assertThat(second.get()).isInstanceOf(Standing.Waiting.class);
    stranger.renewed(theirs);
  }

  @Test
  default void sixteen_tickets_of_one_resource_get_sixteen_rising_tokens(Stage stage)
      throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("sixteen");
    List<Ticket> line = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      line.add(actor.ticket(resource, shape(stage)));
    }
    long token = 0;
    while (!line.isEmpty()) {
      Ticket in = onlyGrant(stage, actor, line);
      long next = actor.in(in).token();
      assertThat(next).isGreaterThan(token);
      token = next;
      Slot<Left> left = new Slot<>();
      perform(actor, List.of(new Verb.Leave(in, false, left)));
      assertThat(left.get()).isEqualTo(Left.HOLDING);
      line.remove(in);
    }
  }

  private static Ticket onlyGrant(Stage stage, Actor actor, List<Ticket> line)
      throws EngineException {
    List<Ticket> in = new ArrayList<>();
    for (Ticket ticket : line) {
      Slot<Standing> slot = new Slot<>();
      perform(actor, List.of(new Verb.Attempt(ticket, Actor.DEAF, slot)));
      if (slot.get() instanceof Standing.Granted) {
        in.add(ticket);
      }
    }
    if (in.isEmpty()) {
      // Kept for the first that waits, for a moment.
      stage.time().pass(stage.traits().reserve().plusMillis(1));
      return onlyGrant(stage, actor, line);
    }
    assertThat(in).as("grants").hasSize(1);
    return in.get(0);
  }

  private static Shape shape(Stage stage) {
    return Rule09OneShape.SHAPES.stream().filter(stage.traits()::serves).findFirst().orElseThrow();
  }

  private static void perform(Actor actor, List<Verb> batch) {
    actor.lane().perform(batch);
    for (Verb verb : batch) {
      assertThat(verb.isComplete()).as("%s has its answer", verb.ticket()).isTrue();
    }
  }
}
