package io.holdfast.tck.conformance;

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
  default void every_verb_of_a_batch_is_completed_exactly_once(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Shape shape = shape(fixture);
    Ticket holder = client.ticket(fixture.resource("held"), shape);
    Ticket leaver = client.ticket(fixture.resource("left"), shape);
    Ticket comer = client.ticket(fixture.resource("free"), shape);
    Ticket stranger = client.ticket(fixture.resource("unknown"), shape);
    client.expectGranted(holder);
    client.expectGranted(leaver);
    AnswerRecorder<Renewal> renewed = new AnswerRecorder<>();
    AnswerRecorder<Left> left = new AnswerRecorder<>();
    AnswerRecorder<Standing> came = new AnswerRecorder<>();
    AnswerRecorder<Renewal> gone = new AnswerRecorder<>();
    perform(
        client,
        List.of(
            new Verb.Renew(holder, renewed),
            new Verb.Leave(leaver, false, left),
            new Verb.Attempt(comer, VerbClient.IGNORED, came),
            new Verb.Renew(stranger, gone)));
    assertThat(renewed.get()).isInstanceOf(Renewal.Renewed.class);
    assertThat(left.get()).isEqualTo(Left.HOLDING);
    assertThat(came.get()).isInstanceOf(Standing.Granted.class);
    assertThat(gone.get()).isInstanceOf(Renewal.Gone.class);
    assertThat(List.of(renewed.times(), left.times(), came.times(), gone.times())).containsOnly(1);
    client.expectRenewed(comer);
    client.expectGranted(client.ticket(fixture.resource("left"), shape));
  }

  @Test
  @Requires({Capability.ANY, Capability.FIFO})
  default void a_failing_verb_fails_alone(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient other = fixture.verbClient();
    Shape shape = Shape.mutex(Order.ANY);
    other.expectGranted(other.ticket(fixture.resource("b"), Shape.mutex(Order.FIFO)));
    List<AnswerRecorder<Standing>> slots = new ArrayList<>();
    List<Verb> batch = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      AnswerRecorder<Standing> slot = new AnswerRecorder<>();
      slots.add(slot);
      batch.add(
          new Verb.Attempt(client.ticket(fixture.resource(name), shape), VerbClient.IGNORED, slot));
    }
    perform(client, batch);
    assertThat(slots.get(0).get()).isInstanceOf(Standing.Granted.class);
    assertThat(slots.get(1).failure()).isInstanceOf(EngineException.Refused.class);
    assertThat(slots.get(2).get()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  default void a_batch_is_as_large_as_the_traits_say(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    int size = Math.min(fixture.traits().batch(), LARGE);
    List<AnswerRecorder<Standing>> slots = new ArrayList<>();
    List<Verb> attempts = new ArrayList<>();
    List<Verb> leaves = new ArrayList<>();
    List<AnswerRecorder<Left>> lefts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Ticket ticket = client.ticket(fixture.resource("large-" + i), shape(fixture));
      AnswerRecorder<Standing> slot = new AnswerRecorder<>();
      slots.add(slot);
      attempts.add(new Verb.Attempt(ticket, VerbClient.IGNORED, slot));
      AnswerRecorder<Left> left = new AnswerRecorder<>();
      lefts.add(left);
      leaves.add(new Verb.Leave(ticket, false, left));
    }
    perform(client, attempts);
    for (AnswerRecorder<Standing> slot : slots) {
      assertThat(slot.get()).isInstanceOf(Standing.Granted.class);
    }
    perform(client, leaves);
    for (AnswerRecorder<Left> slot : lefts) {
      assertThat(slot.get()).isEqualTo(Left.HOLDING);
    }
  }

  @Test
  default void tickets_in_one_batch_exclude_each_other(KitFixture fixture) throws Exception {
    VerbClient sender = fixture.verbClient();
    VerbClient stranger = fixture.verbClient();
    Shape shape = shape(fixture);
    Ticket mine = sender.ticket(fixture.resource("one"), shape);
    Ticket theirs = stranger.ticket(fixture.resource("two"), shape);
    stranger.expectGranted(theirs);
    AnswerRecorder<Standing> first = new AnswerRecorder<>();
    AnswerRecorder<Standing> second = new AnswerRecorder<>();
    Ticket rival = sender.ticket(fixture.resource("two"), shape);
    perform(
        sender,
        List.of(
            new Verb.Attempt(mine, VerbClient.IGNORED, first),
            new Verb.Attempt(rival, VerbClient.IGNORED, second)));
    assertThat(first.get()).isInstanceOf(Standing.Granted.class);
    assertThat(second.get()).isInstanceOf(Standing.Waiting.class);
    stranger.expectRenewed(theirs);
  }

  @Test
  default void sixteen_tickets_of_one_resource_get_sixteen_rising_tokens(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("sixteen");
    List<Ticket> line = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      line.add(client.ticket(resource, shape(fixture)));
    }
    long token = 0;
    while (!line.isEmpty()) {
      Ticket in = onlyGrant(fixture, client, line);
      long next = client.expectGranted(in).token();
      assertThat(next).isGreaterThan(token);
      token = next;
      AnswerRecorder<Left> left = new AnswerRecorder<>();
      perform(client, List.of(new Verb.Leave(in, false, left)));
      assertThat(left.get()).isEqualTo(Left.HOLDING);
      line.remove(in);
    }
  }

  private static Ticket onlyGrant(KitFixture fixture, VerbClient client, List<Ticket> line)
      throws EngineException {
    List<Ticket> in = new ArrayList<>();
    for (Ticket ticket : line) {
      AnswerRecorder<Standing> slot = new AnswerRecorder<>();
      perform(client, List.of(new Verb.Attempt(ticket, VerbClient.IGNORED, slot)));
      if (slot.get() instanceof Standing.Granted) {
        in.add(ticket);
      }
    }
    if (in.isEmpty()) {
      // Kept for the first that waits, for a moment.
      fixture.time().pass(fixture.traits().reserve().plusMillis(1));
      return onlyGrant(fixture, client, line);
    }
    assertThat(in).as("grants").hasSize(1);
    return in.get(0);
  }

  private static Shape shape(KitFixture fixture) {
    return Rule09OneShape.SHAPES.stream()
        .filter(fixture.traits()::serves)
        .findFirst()
        .orElseThrow();
  }

  private static void perform(VerbClient client, List<Verb> batch) {
    client.lane().perform(batch);
    for (Verb verb : batch) {
      assertThat(verb.isComplete()).as("%s has its result", verb.ticket()).isTrue();
    }
  }
}
