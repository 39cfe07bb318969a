package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  private static final Shape MUTEX = Shape.mutex(Order.ANY);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Owner OWNER = new Owner("", "host", 1, "main", "");

  private final List<String> refusals = new ArrayList<>();
  private final Admission everything =
      Admission.of(traits(Set.of(Shape.Kind.values()), Set.of(Order.values())));
  private final Admission mutexes =
      Admission.of(traits(Set.of(Shape.Kind.MUTEX), Set.of(Order.ANY)))
          .explainedBy(shape -> shape.equals(Shape.readWrite()) ? "it has one lock" : "");

  private static EngineTraits traits(Set<Shape.Kind> kinds, Set<Order> orders) {
    return new EngineTraits(
        "store://here", kinds, orders, Set.of(), true, 1, 10, Duration.ZERO, Optional.empty());
  }

  private static Ticket ticket(Shape shape) {
    return new Ticket(
        new Ticket.Id(1, 2, 3), new Resource("default", "door"), shape, 1, LEASE, 0, true, OWNER);
  }

  private <T> Verb.Answer<T> answer() {
    return new Verb.Answer<>() {
      @Override
      public void answered(T value) {
        throw new AssertionError("admission completes no verb");
      }

      @Override
      public void failed(EngineException failure) {
        assertThat(failure).isInstanceOf(Refused.class);
        refusals.add(failure.getMessage());
      }
    };
  }

  private Verb attempt(Shape shape) {
    return new Verb.Attempt(ticket(shape), () -> {}, answer());
  }

  private Verb renew(Ticket ticket) {
    return new Verb.Renew(ticket, answer());
  }

  private Verb leave(Ticket ticket) {
    return new Verb.Leave(ticket, false, answer());
  }

  private Verb settle(Shape shape) {
    return new Verb.Settle(ticket(shape), LEASE, answer());
  }

  private Verb resize(Shape shape) {
    return new Verb.Resize(ticket(shape), answer());
  }

  @Test
  void whatTheStoreServesIsAdmittedAndNotCompleted() {
    List<Verb> batch =
        List.of(
            attempt(MUTEX),
            attempt(Shape.semaphore(Shape.ADOPT)),
            renew(ticket(MUTEX)),
            leave(ticket(MUTEX)),
            settle(Shape.once()),
            resize(Shape.semaphore(3)));
    assertThat(everything.admit(batch)).isEqualTo(batch);
    assertThat(batch).noneMatch(Verb::isComplete);
  }

  @Test
  void aShapeThatIsNotServedIsRefusedWithTheReason() {
    assertThat(mutexes.admit(attempt(Shape.readWrite()))).isFalse();
    assertThat(mutexes.admit(attempt(Shape.semaphore(3)))).isFalse();
    assertThat(mutexes.admit(attempt(Shape.mutex(Order.FIFO)))).isFalse();
    assertThat(refusals)
        .containsExactly(
            "store://here has no read/write lock: it has one lock; asked for \"door\"; use a store"
                + " that has it",
            "store://here has no semaphore of 3; asked for \"door\"; use a store that has it",
            "store://here has no mutex in order FIFO; asked for \"door\"; use a store that has it");
  }

  @Test
  void onlyOnceAndMutexesSettle() {
    assertThat(everything.admit(settle(MUTEX))).isTrue();
    assertThat(everything.admit(settle(Shape.semaphore(1)))).isFalse();
    assertThat(refusals)
        .containsExactly(
            "\"door\" at store://here cannot be marked as done or kept because it is a semaphore of"
                + " 1: only once has marks, and only mutexes can be kept");
  }

  @Test
  void aStoreWithoutMarksKeepsNoMutexEither() {
    assertThat(mutexes.admit(settle(MUTEX))).isFalse();
    assertThat(refusals).hasSize(1);
  }

  @Test
  void onlySemaphoresWithAStatedNumberAreResized() {
    assertThat(everything.admit(resize(MUTEX))).isFalse();
    assertThat(everything.admit(resize(Shape.semaphore(Shape.ADOPT)))).isFalse();
    assertThat(refusals)
        .containsExactly(
            "\"door\" at store://here cannot be resized to a mutex in order ANY: only semaphores"
                + " can be resized, to a stated number of permits",
            "\"door\" at store://here cannot be resized to a semaphore of the stored size: only"
                + " semaphores can be resized, to a stated number of permits");
  }

  @Test
  void settlingAndResizingNeedAShapeThatIsServed() {
    assertThat(mutexes.admit(settle(Shape.once()))).isFalse();
    assertThat(mutexes.admit(resize(Shape.semaphore(3)))).isFalse();
    assertThat(refusals)
        .containsExactly(
            "store://here has no once; asked for \"door\"; use a store that has it",
            "store://here has no semaphore of 3; asked for \"door\"; use a store that has it");
  }

  @Test
  void aLeaseAboveTheLimitIsRefusedForAttemptsAndRenewals() {
    Admission limited =
        everything.withLongestLease(LEASE.minusNanos(1), "the most is below 30 s; set maxLease");
    assertThat(limited.admit(attempt(MUTEX))).isFalse();
    assertThat(limited.admit(renew(ticket(MUTEX)))).isFalse();
    assertThat(refusals)
        .hasSize(2)
        .containsOnly(
            "\"door\" at store://here cannot be held with a lease of 30 s: the most is below 30 s;"
                + " set maxLease");
    assertThat(limited.admit(settle(Shape.once()))).isTrue();
    assertThat(everything.withLongestLease(LEASE, "").admit(attempt(MUTEX))).isTrue();
  }

  @Test
  void everyTicketMayLeave() {
    Admission strict = mutexes.withLongestLease(Duration.ZERO, "never");
    assertThat(strict.admit(leave(ticket(Shape.readWrite())))).isTrue();
  }

  @Test
  void aBatchKeepsTheOrderOfTheAdmittedVerbs() {
    Verb first = attempt(MUTEX);
    Verb second = leave(ticket(MUTEX));
    assertThat(mutexes.admit(List.of(attempt(Shape.readWrite()), first, settle(MUTEX), second)))
        .containsExactly(first, second);
    assertThat(refusals).hasSize(2);
  }

  @Test
  void aCompleteVerbIsNeitherAdmittedNorFailedAgain() {
    Verb verb = settle(Shape.readWrite());
    assertThat(everything.admit(verb)).isFalse();
    assertThat(everything.admit(verb)).isFalse();
    assertThat(refusals).hasSize(1);
  }

  @Test
  void refusalOfDoesNotCompleteTheVerb() {
    Verb verb = settle(Shape.readWrite());
    assertThat(everything.refusalOf(verb)).isPresent();
    assertThat(verb.isComplete()).isFalse();
    assertThat(everything.refusalOf(attempt(MUTEX))).isEmpty();
  }

  @Test
  void plainMethodsThrowTheSameRefusals() {
    assertThatThrownBy(() -> mutexes.requireAttempt(ticket(Shape.readWrite())))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("has no read/write lock");
    assertThatThrownBy(() -> mutexes.requireSettle(ticket(MUTEX))).isInstanceOf(Refused.class);
    assertThatThrownBy(() -> mutexes.requireResize(ticket(MUTEX))).isInstanceOf(Refused.class);
    assertThatThrownBy(
            () -> mutexes.withLongestLease(Duration.ZERO, "never").requireRenew(ticket(MUTEX)))
        .isInstanceOf(Refused.class)
        .hasMessageEndingWith(": never");
    assertThatCode(() -> mutexes.requireAttempt(ticket(MUTEX))).doesNotThrowAnyException();
    assertThatCode(() -> mutexes.requireRenew(ticket(MUTEX))).doesNotThrowAnyException();
  }
}
