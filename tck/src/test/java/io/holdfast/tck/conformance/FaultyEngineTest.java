package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FaultyEngineTest {

  private static final Wake DEAF = () -> {};

  private final ManualTime time = new ManualTime();
  private final MemoryEngine store = MemoryEngine.create(time::nanoTime, time::epochMicros);
  private final FaultyEngine engine = FaultyEngine.over(store);
  private long tickets;

  private Ticket ticket(String name) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        new Resource("default", name),
        Shape.mutex(Order.ANY),
        1,
        Duration.ofSeconds(30),
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  @Test
  void everything_is_well_until_a_test_says_otherwise() throws Exception {
    Ticket ticket = ticket("well");
    assertThat(engine.attempt(ticket, DEAF)).isInstanceOf(Standing.Granted.class);
    assertThat(engine.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
    assertThat(engine.traits()).isEqualTo(store.traits());
    assertThat(engine.breaches()).isEmpty();
  }

  @Test
  void a_lost_reply_was_executed() throws Exception {
    Ticket ticket = ticket("lost");
    engine.loseNextReply();
    assertThatThrownBy(() -> engine.attempt(ticket, DEAF))
        .isInstanceOf(EngineException.Unknown.class);
    assertThat(store.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    assertThat(engine.attempt(ticket, DEAF)).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void a_lost_request_was_not_executed() throws Exception {
    Ticket ticket = ticket("lost");
    engine.loseNextRequest();
    assertThatThrownBy(() -> engine.attempt(ticket, DEAF))
        .isInstanceOf(EngineException.Unknown.class);
    assertThat(store.renew(ticket)).isInstanceOf(Renewal.Gone.class);
  }

  @Test
  void a_fault_of_a_kind_waits_for_that_kind() throws Exception {
    Ticket ticket = ticket("kind");
    engine.failNextNotDone(VerbKind.LEAVE);
    engine.refuseNext(VerbKind.RENEW);
    engine.attempt(ticket, DEAF);
    assertThatThrownBy(() -> engine.leave(ticket, false))
        .isInstanceOf(EngineException.NotDone.class);
    assertThatThrownBy(() -> engine.renew(ticket)).isInstanceOf(EngineException.Refused.class);
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
  }

  @Test
  void a_doubled_verb_reaches_the_store_twice_and_the_first_answer_counts() throws Exception {
    Ticket ticket = ticket("double");
    engine.attempt(ticket, DEAF);
    engine.doubleNext(VerbKind.LEAVE);
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
    assertThat(engine.reached(VerbKind.LEAVE, "double"))
        .extracting(FaultyEngine.Seen::answer)
        .containsExactly("HOLDING", "NOTHING");
  }

  @Test
  void a_late_verb_reaches_the_store_when_it_is_delivered() throws Exception {
    Ticket ticket = ticket("late");
    engine.delayNext(VerbKind.ATTEMPT);
    assertThatThrownBy(() -> engine.attempt(ticket, DEAF))
        .isInstanceOf(EngineException.Unknown.class);
    assertThat(engine.reached()).isEmpty();
    assertThat(engine.deliverLate()).isEqualTo(1);
    assertThat(store.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    assertThat(engine.deliverLate()).isZero();
  }

  @Test
  void a_cut_line_lets_nothing_through_until_it_is_healed() throws Exception {
    Ticket one = ticket("one");
    Ticket two = ticket("two");
    engine.cut("one");
    assertThatThrownBy(() -> engine.attempt(one, DEAF)).isInstanceOf(EngineException.NotDone.class);
    engine.attempt(two, DEAF);
    engine.heal("one");
    engine.attempt(one, DEAF);
    engine.cut();
    assertThatThrownBy(() -> engine.renew(two)).isInstanceOf(EngineException.NotDone.class);
    engine.heal();
    assertThat(engine.renew(two)).isInstanceOf(Renewal.Renewed.class);
  }

  @Test
  void wakes_get_lost_while_they_are_dropped() throws Exception {
    AtomicInteger wakes = new AtomicInteger();
    for (boolean drop : new boolean[] {true, false}) {
      Ticket holder = ticket("wakes" + drop);
      Ticket waiter = ticket("wakes" + drop);
      engine.attempt(holder, DEAF);
      engine.attempt(waiter, wakes::incrementAndGet);
      engine.dropWakes(drop);
      engine.leave(holder, false);
      assertThat(wakes).hasValue(drop ? 0 : 1);
    }
  }

  @Test
  void an_engine_that_runs_on_the_callers_thread_cannot_hang() {
    assertThatThrownBy(engine::hang).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_hung_verb_goes_on_when_the_store_does() throws Exception {
    FaultyEngine slow = FaultyEngine.withLanes(store);
    LockEngine lane = slow.lane();
    Ticket ticket = ticket("hung");
    slow.hang();
    BackgroundTask<Standing> stuck = stuck(lane, ticket);
    assertThat(slow.reached()).isEmpty();
    slow.unhang();
    assertThat(stuck.result()).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void a_hung_verb_whose_lane_is_closed_arrives_late() throws Exception {
    FaultyEngine slow = FaultyEngine.withLanes(store);
    LockEngine lane = slow.lane();
    Ticket ticket = ticket("given up");
    slow.hang();
    BackgroundTask<Standing> stuck = stuck(lane, ticket);
    lane.close();
    assertThat(stuck.failure()).isInstanceOf(EngineException.Unknown.class);
    assertThat(store.renew(ticket)).isInstanceOf(Renewal.Gone.class);
    slow.unhang();
    assertThat(store.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
  }

  private BackgroundTask<Standing> stuck(LockEngine lane, Ticket ticket) {
    KitTime stage = new KitTime(java.util.Optional.of(time));
    BackgroundTask<Standing> stuck =
        new BackgroundTask<>(stage, "stuck", () -> lane.attempt(ticket, DEAF));
    time.settle();
    assertThat(stuck.hasEnded()).isFalse();
    return stuck;
  }

  @Test
  void a_batch_suffers_verb_by_verb() {
    AnswerRecorder<Standing> one = new AnswerRecorder<>();
    AnswerRecorder<Standing> two = new AnswerRecorder<>();
    engine.loseNextReply();
    engine.perform(
        List.of(
            new Verb.Attempt(ticket("one"), DEAF, one),
            new Verb.Attempt(ticket("two"), DEAF, two)));
    assertThat(one.failure()).isInstanceOf(EngineException.Unknown.class);
    assertThat(two.failure()).isNull();
    assertThat(engine.reached()).hasSize(2);
  }

  @Test
  void the_same_seed_gives_the_same_faults() {
    assertThat(byChance(7)).isEqualTo(byChance(7)).isNotEqualTo(byChance(8));
    assertThat(byChance(7)).contains("Unknown", "NotDone", "Granted");
  }

  private List<String> byChance(long seed) {
    FaultyEngine unlucky = FaultyEngine.over(store);
    unlucky.randomly(seed, 0.5);
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Ticket ticket = ticket("chance-" + tickets);
      try {
        outcomes.add(unlucky.attempt(ticket, DEAF).getClass().getSimpleName());
      } catch (EngineException e) {
        outcomes.add(e.getClass().getSimpleName());
      }
    }
    return outcomes;
  }

  @Test
  void a_caller_that_breaks_the_rules_is_noticed() {
    Ticket one = ticket("one");
    Ticket two = ticket("one");
    AnswerRecorder<Standing> slot = new AnswerRecorder<>();
    AnswerRecorder<Renewal> renewal = new AnswerRecorder<>();
    engine.perform(
        List.of(
            new Verb.Attempt(one, DEAF, slot),
            new Verb.Attempt(two, DEAF, slot),
            new Verb.Renew(one, renewal)));
    assertThat(engine.breaches()).hasSize(2);
  }
}
