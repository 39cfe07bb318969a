package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.JavaLock;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("tokens")
interface Tokens {

  Duration WAIT = Duration.ofHours(1);

  @EveryMutex
  default void tokens_rise_from_grant_to_grant(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "rising");
    List<Caller> callers = List.of(stage.caller(), stage.caller());
    long last = 0;
    for (int i = 0; i < 20; i++) {
      try (Hold hold = dress.lock(callers.get(i % 2).holdfast(), "rising").acquire(WAIT)) {
        assertThat(hold.token()).isGreaterThan(last);
        last = hold.token();
      }
    }
  }

  @EveryMutex
  default void u06_tokens_rise_when_a_lease_ran_out(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "expiry");
    Caller dead = stage.caller();
    Hold lost = dress.lock(dead.holdfast(), "expiry").acquire(WAIT);
    stage.kill(dead);
    Running<Hold> next =
        stage.run("next", () -> dress.lock(stage.caller().holdfast(), "expiry").acquire(WAIT));
    try (Hold hold = next.result(stage.leaseAtMost().plusSeconds(1))) {
      assertThat(hold.token()).isGreaterThan(lost.token());
    }
  }

  @EveryMutex
  default void u06_tokens_rise_when_an_operator_evicted(Stage stage, Dress dress) throws Exception {
    if (stage.inspector().isEmpty()) {
      return;
    }
    Resource resource = dress.resource(stage, "evicted");
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    long token = actor.in(dress.ticket(actor, resource)).token();
    assertThat(stage.inspector().get().evict(resource, token, "a test"))
        .isEqualTo(EngineInspector.Verdict.DONE);
    assertThat(rival.in(dress.ticket(rival, resource)).token()).isGreaterThan(token);
  }

  @Test
  @Needs(Need.ANY)
  default void u41_a_hand_over_between_threads_has_a_higher_token(Stage stage) throws Exception {
    List<HoldfastListener.Event> events = new CopyOnWriteArrayList<>();
    Caller caller = stage.caller(options -> options.withListener(events::add));
    DistributedLock lock = caller.holdfast().lock("handed");
    long begin = stage.time().now();
    Hold first = lock.acquire(WAIT);
    Running<Hold> second = stage.run("second", () -> lock.acquire(WAIT));
    second.awaitParked();
    assertThat(first.release()).isEqualTo(Outcome.RELEASED);
    Hold next = second.result(stage.soon());
    assertThat(next.token()).isGreaterThan(first.token());
    assertThat(first.isHeld()).isFalse();
    assertThat(next.isHeld()).isTrue();
    boolean handedOver =
        events.stream().anyMatch(e -> e instanceof HoldfastListener.Acquired a && a.handedOver());
    Duration took = Duration.ofNanos(stage.time().now() - begin);
    if (!handedOver && took.compareTo(stage.lease().dividedBy(2)) > 0) {
      throw new TooLate("half of the lease was over before the hand-over: " + took);
    }
    assertThat(handedOver).as("handed over without the store").isTrue();
    assertThat(Token.grant(next.token())).isEqualTo(Token.grant(first.token()));
    next.release();
    stage.onlyRemain("handed", 0);
  }

  @Test
  @Needs({Need.ANY, Need.INSPECTOR})
  default void re_entry_keeps_the_token(Stage stage) throws Exception {
    JavaLock lock = stage.caller().holdfast().lock("re-entered").asJavaLock();
    lock.lock();
    try {
      long token = onlyToken(stage, "re-entered");
      assertThat(lock.hold().token()).isEqualTo(token);
      lock.lock();
      try {
        assertThat(onlyToken(stage, "re-entered")).isEqualTo(token);
        assertThat(lock.hold().token()).isEqualTo(token);
      } finally {
        lock.unlock();
      }
      assertThat(onlyToken(stage, "re-entered")).isEqualTo(token);
    } finally {
      lock.unlock();
    }
    stage.onlyRemain("re-entered", 0);
  }

  private static long onlyToken(Stage stage, String name) throws Exception {
    var tickets =
        stage.inspector().orElseThrow().show(stage.resource(name)).orElseThrow().tickets();
    assertThat(tickets).hasSize(1);
    return tickets.get(0).token();
  }

  @EveryMutex(once = true)
  default void a_higher_generation_outranks_and_a_lower_one_is_refused(Stage stage, Dress dress)
      throws Exception {
    if (dress == Dress.LAST_PERMIT || dress == Dress.WRITE_LOCK) {
      // The one who drains it is of an old generation; and a reader is as good as a writer here.
      return;
    }
    Actor actor = stage.actor();
    Resource resource = dress.resource(stage, "generation");
    Ticket old = dress.ticket(actor, resource);
    long before = actor.in(old).token();
    actor.leave(old);
    Ticket raised = actor.ofGeneration(resource, dress.shape(), 1);
    long token = actor.getsIn(raised, stage.soon()).token();
    assertThat(token).isGreaterThan(before);
    assertThat(Token.generation(token)).isEqualTo(1);
    actor.leave(raised);
    assertThat(actor.refused(dress.ticket(actor, resource))).contains("generation");
    actor.in(actor.ofGeneration(resource, dress.shape(), 1));
  }

  @Test
  @Needs(Need.ANY)
  default void a_program_of_an_old_generation_is_refused(Stage stage) throws Exception {
    Holdfast raised = stage.caller(options -> options.withGeneration(3)).holdfast();
    Holdfast old = stage.caller().holdfast();
    try (Hold hold = raised.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isEqualTo(3);
    }
    assertThatThrownBy(() -> old.lock("raised").acquire(WAIT))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("generation");
  }

  @Test
  @Needs(Need.ANY)
  default void a_generation_raised_in_one_namespace_leaves_others_alone(Stage stage)
      throws Exception {
    Holdfast raised = stage.caller(options -> options.withGeneration(3)).holdfast();
    Holdfast elsewhere =
        stage.caller(options -> options.withNamespace(options.namespace() + "-b")).holdfast();
    try (Hold hold = raised.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isEqualTo(3);
    }
    try (Hold hold = elsewhere.lock("raised").acquire(WAIT)) {
      assertThat(Token.generation(hold.token())).isZero();
    }
  }
}
