package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every shape: leases, repetition, tokens and batches. */
class MemoryEngineTest {

  private static final Shape MUTEX = Shape.mutex(Order.ANY);

  private final Scene scene = new Scene();

  @ParameterizedTest
  @EnumSource
  void oneIsGrantedAndTheOtherGetsTheHolderAndItsLease(Order order) throws Exception {
    Ticket first = scene.ticket(Shape.mutex(order));
    long token = scene.granted(first);
    scene.passMillis(10_000);
    Standing.Waiting waiting = scene.waiting(scene.ticket(Shape.mutex(order)));
    assertThat(waiting.retryAfter()).isEqualTo(Duration.ofSeconds(20));
    assertThat(waiting.holder())
        .hasValue(new Standing.Holder(first.owner(), token, Duration.ofSeconds(20)));
    assertThat(waiting.ahead()).isEqualTo(order == Order.FIFO ? 1 : 0);
  }

  @Test
  void aGrantIsValidForTheLeaseThatWasAskedFor() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    assertThat(scene.attempt(ticket))
        .isInstanceOfSatisfying(
            Standing.Granted.class,
            granted -> {
              assertThat(granted.validFor()).isEqualTo(Scene.LEASE);
              assertThat(granted.wanted()).isFalse();
            });
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedAttemptOfAHolderRenewsAndKeepsItsToken(Order order) throws Exception {
    Ticket ticket = scene.ticket(Shape.mutex(order));
    long token = scene.granted(ticket);
    scene.passMillis(29_999);
    assertThat(scene.granted(ticket)).isEqualTo(token);
    scene.passMillis(29_999);
    scene.waiting(scene.ticket(Shape.mutex(order)));
    assertThat(scene.granted(ticket)).isEqualTo(token);
  }

  @Test
  void renewingGivesAnotherLeaseAndReportsWhetherATicketWaits() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(ticket);
    scene.passMillis(20_000);
    assertThat(scene.renew(ticket)).isEqualTo(new Renewal.Renewed(Scene.LEASE, false));
    scene.passMillis(20_000);
    scene.waiting(scene.ticket(MUTEX));
    assertThat(scene.renew(ticket)).isEqualTo(new Renewal.Renewed(Scene.LEASE, true));
  }

  @Test
  void waitersSeeTheRenewedLease() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(ticket);
    scene.passMillis(20_000);
    scene.renew(ticket);
    scene.passMillis(1_000);
    assertThat(scene.waiting(scene.ticket(MUTEX)).retryAfter()).isEqualTo(Duration.ofSeconds(29));
  }

  @Test
  void aClockThatWrapsAroundEndsLeasesToo() throws Exception {
    Scene late = new Scene(Long.MAX_VALUE - Duration.ofSeconds(40).toNanos());
    late.granted(late.ticket(MUTEX));
    late.passMillis(60_000);
    late.granted(late.ticket(MUTEX));
  }

  @Test
  void aWaiterThatDiedIsNotWaitedForAnyMore() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(ticket);
    scene.waiting(scene.ticket(MUTEX));
    scene.passMillis(20_000);
    assertThat(scene.renew(ticket)).isEqualTo(new Renewal.Renewed(Scene.LEASE, true));
    scene.passMillis(10_000);
    assertThat(scene.renew(ticket)).isEqualTo(new Renewal.Renewed(Scene.LEASE, false));
  }

  @ParameterizedTest
  @EnumSource
  void aDeadHolderIsOutExactlyWhenItsLeaseEnds(Order order) throws Exception {
    Ticket dead = scene.ticket(Shape.mutex(order));
    Ticket next = scene.ticket(Shape.mutex(order));
    long token = scene.granted(dead);
    scene.pass(Scene.LEASE.minusNanos(1));
    assertThat(scene.waiting(next).retryAfter()).isEqualTo(Duration.ofMillis(1));
    scene.pass(Duration.ofNanos(1));
    assertThat(scene.granted(next)).isGreaterThan(token);
  }

  @ParameterizedTest
  @EnumSource
  void renewNeitherJoinsNorResurrects(Order order) throws Exception {
    Renewal unknown = new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
    Ticket ticket = scene.ticket(Shape.mutex(order));
    assertThat(scene.renew(ticket)).isEqualTo(unknown);
    assertThat(scene.isClean()).isTrue();
    scene.granted(ticket);
    scene.pass(Scene.LEASE);
    assertThat(scene.renew(ticket)).isEqualTo(unknown);
    assertThat(scene.isClean()).isTrue();
    Ticket waiter = scene.ticket(Shape.mutex(order));
    scene.granted(ticket);
    scene.waiting(waiter);
    assertThat(scene.renew(waiter)).isEqualTo(unknown);
  }

  @Test
  void anExpiredTicketThatAsksAgainJoinsWithANewToken() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    long token = scene.granted(ticket);
    scene.pass(Scene.LEASE);
    assertThat(scene.granted(ticket)).isGreaterThan(token);
  }

  @ParameterizedTest
  @EnumSource
  void leavingTwiceIsLeavingOnce(Order order) throws Exception {
    Ticket holder = scene.ticket(Shape.mutex(order));
    Ticket waiter = scene.ticket(Shape.mutex(order));
    scene.granted(holder);
    scene.waiting(waiter);
    assertThat(scene.leave(waiter)).isEqualTo(Left.WAITING);
    assertThat(scene.leave(waiter)).isEqualTo(Left.NOTHING);
    assertThat(scene.leave(holder)).isEqualTo(Left.HOLDING);
    assertThat(scene.leave(holder)).isEqualTo(Left.NOTHING);
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void aTicketThatLeavesAfterItsLeaseHadNothingToLeave() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(ticket);
    scene.pass(Scene.LEASE);
    assertThat(scene.leave(ticket)).isEqualTo(Left.NOTHING);
  }

  @Test
  void tokensStartAboveTheWallClockAndRiseByOneGrant() throws Exception {
    Ticket first = scene.ticket(MUTEX);
    assertThat(Token.counter(scene.granted(first))).isEqualTo(1_000_001);
    scene.leave(first);
    assertThat(Token.counter(scene.granted(scene.ticket(MUTEX)))).isEqualTo(1_000_002);
  }

  @Test
  void leasesLongerThanTheClockCanCountAreStillLeases() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    Ticket ages =
        new Ticket(
            ticket.id(),
            ticket.resource(),
            ticket.shape(),
            1,
            Duration.ofSeconds(Long.MAX_VALUE),
            0,
            true,
            ticket.owner());
    scene.granted(ages);
    scene.pass(Duration.ofDays(365));
    scene.waiting(scene.ticket(MUTEX));
  }

  @Test
  void aBatchCompletesEachVerbOnItsOwn() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(scene.ticket(MUTEX));
    StringBuilder answers = new StringBuilder();
    scene.engine.perform(
        List.of(
            new Verb.Attempt(scene.ticket(Shape.readWrite()), () -> {}, appending(answers)),
            new Verb.Renew(ticket, appending(answers))));
    assertThat(answers.toString()).isEqualTo("Refused Gone ");
  }

  private static <T> Verb.Answer<T> appending(StringBuilder answers) {
    return new Verb.Answer<>() {
      @Override
      public void answered(T answer) {
        answers.append(answer.getClass().getSimpleName()).append(' ');
      }

      @Override
      public void failed(EngineException failure) {
        answers.append(failure.getClass().getSimpleName()).append(' ');
      }
    };
  }

  @Test
  void itClaimsEverythingThatOneProcessCanPromise() {
    assertThat(scene.engine.traits().store()).isEqualTo("memory:");
    assertThat(scene.engine.traits().blocking()).isFalse();
    assertThat(scene.engine.traits().lanes()).isEqualTo(1);
    assertThat(scene.engine.traits().reserve()).isEqualTo(Duration.ofMillis(5));
    assertThat(scene.engine.traits().kinds()).containsExactlyInAnyOrder(Shape.Kind.values());
    assertThat(scene.engine.traits().orders()).containsExactlyInAnyOrder(Order.values());
    assertThat(scene.engine.traits().guarantees())
        .containsExactlyInAnyOrder(
            Guarantee.FENCING,
            Guarantee.FIFO,
            Guarantee.SHARED,
            Guarantee.SIGNALS,
            Guarantee.STEADY_LEASES);
  }
}
