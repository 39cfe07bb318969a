package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The two orders of a mutex: the line, and the short reservation for a waiter. */
class MemoryMutexTest {

  private static final Shape FIFO = Shape.mutex(Order.FIFO);
  private static final Shape ANY = Shape.mutex(Order.ANY);

  private final Scene scene = new Scene();

  @Test
  void aLineIsServedInTheOrderOfTheJoins() throws Exception {
    Ticket first = scene.ticket(FIFO);
    Ticket second = scene.ticket(FIFO);
    Ticket third = scene.ticket(FIFO);
    long token = scene.granted(first);
    assertThat(scene.waiting(second).ahead()).isEqualTo(1);
    assertThat(scene.waiting(third).ahead()).isEqualTo(2);
    scene.leave(first);
    assertThat(scene.woken).isEqualTo(Scene.numbers(second));
    assertThat(scene.waiting(third).ahead()).isEqualTo(1);
    scene.waiting(scene.ticket(FIFO));
    assertThat(scene.granted(second)).isGreaterThan(token);
  }

  @Test
  void aLeaveFromTheMiddleWakesNoWaiterWithoutRoom() throws Exception {
    Ticket first = scene.ticket(FIFO);
    Ticket second = scene.ticket(FIFO);
    Ticket third = scene.ticket(FIFO);
    scene.granted(first);
    scene.waiting(second);
    scene.waiting(third);
    assertThat(scene.leave(second)).isEqualTo(Left.WAITING);
    assertThat(scene.woken).isEmpty();
    scene.leave(first);
    assertThat(scene.woken).isEqualTo(Scene.numbers(third));
  }

  @Test
  void aCalledWaiterThatLeavesPassesTheCallOn() throws Exception {
    Ticket first = scene.ticket(FIFO);
    Ticket second = scene.ticket(FIFO);
    Ticket third = scene.ticket(FIFO);
    scene.granted(first);
    scene.waiting(second);
    scene.waiting(third);
    scene.leave(first);
    scene.leave(second);
    assertThat(scene.woken).isEqualTo(Scene.numbers(second, third));
    scene.granted(third);
  }

  @Test
  void anyVerbThatNoticesADeadHolderWakesTheNextWaiter() throws Exception {
    Ticket dead = scene.ticket(FIFO);
    Ticket second = scene.ticket(FIFO);
    Ticket third = scene.ticket(FIFO);
    scene.granted(dead);
    scene.passMillis(15_000);
    scene.waiting(second);
    scene.waiting(third);
    scene.passMillis(15_000);
    scene.waiting(third);
    assertThat(scene.woken).isEqualTo(Scene.numbers(second));
    scene.granted(second);
  }

  @Test
  void manyDeadWaitersAreGoneWithinOneLease() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    scene.granted(holder);
    for (int i = 0; i < 100; i++) {
      scene.waiting(scene.ticket(FIFO));
    }
    Ticket live = scene.ticket(FIFO);
    scene.waiting(live);
    scene.passMillis(29_000);
    scene.waiting(live);
    scene.leave(holder);
    scene.passMillis(1_000);
    scene.granted(live);
  }

  @Test
  void aWaiterThatLetItsLeaseEndGoesToTheEndOfTheLine() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    Ticket slow = scene.ticket(FIFO);
    Ticket other = scene.ticket(FIFO);
    scene.granted(holder);
    scene.waiting(slow);
    scene.passMillis(20_000);
    scene.renew(holder);
    scene.waiting(other);
    scene.passMillis(10_000);
    assertThat(scene.waiting(slow).ahead()).isEqualTo(2);
    scene.leave(holder);
    scene.granted(other);
  }

  @Test
  void tenThousandWaitersDoNotMakeAVerbSlow() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    scene.granted(holder);
    List<Ticket> line = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      line.add(scene.ticket(FIFO));
      assertThat(scene.waiting(line.get(i)).ahead()).isEqualTo(i + 1);
    }
    for (Ticket next : line) {
      scene.leave(holder);
      scene.granted(next);
      holder = next;
    }
    assertThat(scene.woken).hasSize(10_000);
    scene.leave(holder);
    assertThat(scene.isClean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void anImpatientTicketLeavesNothingBehind(Order order) throws Exception {
    Ticket holder = scene.ticket(Shape.mutex(order));
    scene.granted(holder);
    scene.waiting(scene.impatient(Shape.mutex(order)));
    assertThat(scene.attempt(holder))
        .isInstanceOfSatisfying(
            Standing.Granted.class, granted -> assertThat(granted.wanted()).isFalse());
    scene.leave(holder);
    assertThat(scene.woken).isEmpty();
    assertThat(scene.isClean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aWaiterThatTurnsImpatientLosesItsPlace(Order order) throws Exception {
    Ticket holder = scene.ticket(Shape.mutex(order));
    Ticket waiter = scene.ticket(Shape.mutex(order));
    scene.granted(holder);
    scene.waiting(waiter);
    scene.waiting(
        new Ticket(
            waiter.id(),
            waiter.resource(),
            waiter.shape(),
            1,
            waiter.lease(),
            0,
            false,
            waiter.owner()));
    assertThat(scene.leave(waiter)).isEqualTo(Left.NOTHING);
  }

  @Test
  void anImpatientTicketDoesNotOvertakeTheLine() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    Ticket waiter = scene.ticket(FIFO);
    scene.granted(holder);
    scene.waiting(waiter);
    scene.leave(holder);
    assertThat(scene.waiting(scene.impatient(FIFO)).holder()).isEmpty();
    scene.granted(waiter);
  }

  @Test
  void withoutAnOrderAnyAttemptOnAFreeResourceIsGranted() throws Exception {
    Ticket dead = scene.ticket(ANY);
    Ticket waiter = scene.ticket(ANY);
    scene.granted(dead);
    scene.waiting(waiter);
    scene.passMillis(20_000);
    scene.waiting(waiter);
    scene.passMillis(10_000);
    scene.granted(scene.ticket(ANY));
  }

  @Test
  void aWantedLeaveKeepsThePlaceForTheFirstWaiterAndWakesOnlyIt() throws Exception {
    Ticket holder = scene.ticket(ANY);
    Ticket first = scene.ticket(ANY);
    Ticket second = scene.ticket(ANY);
    scene.granted(holder);
    scene.waiting(first);
    scene.waiting(second);
    scene.leave(holder);
    assertThat(scene.woken).isEqualTo(Scene.numbers(first));
    scene.passMillis(2);
    Standing.Waiting greedy = scene.waiting(scene.ticket(ANY));
    assertThat(greedy.retryAfter()).isEqualTo(Duration.ofMillis(3));
    assertThat(greedy.holder()).isEmpty();
    scene.waiting(second);
    scene.granted(first);
    assertThat(scene.woken).isEqualTo(Scene.numbers(first));
  }

  @Test
  void aReservationLapsesByItself() throws Exception {
    Ticket holder = scene.ticket(ANY);
    scene.granted(holder);
    scene.waiting(scene.ticket(ANY));
    scene.leave(holder);
    scene.pass(Duration.ofMillis(5).minusNanos(1));
    Ticket greedy = scene.ticket(ANY);
    assertThat(scene.waiting(greedy).retryAfter()).isEqualTo(Duration.ofNanos(1));
    scene.pass(Duration.ofNanos(1));
    scene.granted(greedy);
  }

  @Test
  void aWaiterThatLeavesPassesItsReservationOn() throws Exception {
    Ticket holder = scene.ticket(ANY);
    Ticket first = scene.ticket(ANY);
    Ticket second = scene.ticket(ANY);
    scene.granted(holder);
    scene.waiting(first);
    scene.waiting(second);
    scene.leave(holder);
    scene.leave(first);
    assertThat(scene.woken).isEqualTo(Scene.numbers(first, second));
    scene.waiting(scene.ticket(ANY));
    scene.granted(second);
  }

  @Test
  void aReservationIsNotMadeForTheDead() throws Exception {
    Ticket holder = scene.ticket(ANY);
    Ticket live = scene.ticket(ANY);
    scene.granted(holder);
    scene.waiting(scene.ticket(ANY));
    scene.passMillis(20_000);
    scene.renew(holder);
    scene.waiting(live);
    scene.passMillis(10_000);
    scene.leave(holder);
    assertThat(scene.woken).isEqualTo(Scene.numbers(live));
    scene.granted(live);
  }

  @Test
  void anotherWaiterThatGoesAwayDoesNotProlongAReservation() throws Exception {
    Ticket holder = scene.ticket(ANY);
    Ticket first = scene.ticket(ANY);
    Ticket second = scene.ticket(ANY);
    scene.granted(holder);
    scene.waiting(first);
    scene.waiting(second);
    scene.leave(holder);
    scene.passMillis(5);
    scene.leave(second);
    assertThat(scene.woken).isEqualTo(Scene.numbers(first));
    scene.granted(scene.ticket(ANY));
  }

  @Test
  void anUnwantedLeaveReservesNothing() throws Exception {
    Ticket holder = scene.ticket(ANY);
    scene.granted(holder);
    scene.leave(holder);
    assertThat(scene.isClean()).isTrue();
    scene.granted(scene.ticket(ANY));
  }
}
