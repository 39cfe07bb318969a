package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Semaphores and read/write locks: weights, shrinking and resizing. */
class MemorySharedTest {

  private static final Shape THREE = Shape.semaphore(3);
  private static final Shape BOOK = Shape.readWrite();
  private static final int ALL = Shape.READ_WRITE_CAPACITY;

  private final Scene scene = new Scene();

  @Test
  void asManyAsFitAreIn() throws Exception {
    scene.granted(scene.ticket(THREE, 2));
    scene.granted(scene.ticket(THREE, 1));
    assertThat(scene.waiting(scene.ticket(THREE, 1)).ahead()).isEqualTo(2);
  }

  @Test
  void aSmallClaimDoesNotOvertakeALargeWaiter() throws Exception {
    Ticket holder = scene.ticket(THREE, 2);
    Ticket large = scene.ticket(THREE, 2);
    Ticket small = scene.ticket(THREE, 1);
    scene.granted(holder);
    scene.waiting(large);
    scene.waiting(small);
    scene.leave(holder);
    assertThat(scene.woken).isEqualTo(Scene.numbers(large, small));
    scene.granted(small);
    scene.granted(large);
  }

  @Test
  void roomIsKeptForACalledWaiterUntilItAsksOrDies() throws Exception {
    Ticket holder = scene.ticket(THREE, 3);
    Ticket called = scene.ticket(THREE, 3);
    Ticket behind = scene.ticket(THREE, 1);
    scene.granted(holder);
    scene.waiting(called);
    scene.passMillis(10_000);
    scene.leave(holder);
    assertThat(scene.waiting(behind).retryAfter()).isEqualTo(Duration.ofSeconds(20));
    scene.passMillis(20_000);
    scene.granted(behind);
  }

  @Test
  void aWokenWaiterIsNotWokenAgainBeforeItAsks() throws Exception {
    Ticket one = scene.ticket(THREE);
    Ticket two = scene.ticket(THREE, 2);
    Ticket waiter = scene.ticket(THREE);
    scene.granted(one);
    scene.granted(two);
    scene.waiting(waiter);
    scene.leave(one);
    scene.leave(two);
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
  }

  @Test
  void readersShareAndAWriterIsAlone() throws Exception {
    Ticket reader = scene.ticket(BOOK);
    Ticket second = scene.ticket(BOOK);
    Ticket writer = scene.ticket(BOOK, ALL);
    Ticket late = scene.ticket(BOOK);
    scene.granted(reader);
    scene.granted(second);
    scene.waiting(writer);
    scene.waiting(late);
    scene.leave(reader);
    assertThat(scene.woken).isEmpty();
    scene.leave(second);
    assertThat(scene.woken).isEqualTo(Scene.numbers(writer));
    scene.granted(writer);
    scene.waiting(late);
  }

  @Test
  void aWriterThatLeavesWakesAllReadersUpToTheNextWriter() throws Exception {
    Ticket writer = scene.ticket(BOOK, ALL);
    Ticket one = scene.ticket(BOOK);
    Ticket two = scene.ticket(BOOK);
    scene.granted(writer);
    scene.waiting(one);
    scene.waiting(two);
    scene.waiting(scene.ticket(BOOK, ALL));
    scene.waiting(scene.ticket(BOOK));
    scene.leave(writer);
    assertThat(scene.woken).isEqualTo(Scene.numbers(one, two));
  }

  @Test
  void aWriterThatShrinksLetsReadersInAndKeepsItsToken() throws Exception {
    Ticket writer = scene.ticket(BOOK, ALL);
    Ticket reader = scene.ticket(BOOK);
    long token = scene.granted(writer);
    scene.waiting(reader);
    assertThat(scene.granted(writer.withWeight(1))).isEqualTo(token);
    assertThat(scene.woken).isEqualTo(Scene.numbers(reader));
    scene.granted(reader);
  }

  @Test
  void noTicketGrowsInPlace() throws Exception {
    Ticket reader = scene.ticket(BOOK);
    scene.granted(reader);
    assertThatThrownBy(() -> scene.attempt(reader.withWeight(ALL)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("from 1 to " + ALL)
        .hasMessageContaining("\"door\" at memory:");
    scene.granted(reader);
  }

  @Test
  void aWaiterCannotAskForMoreOrForAnotherKindThanItJoinedWith() throws Exception {
    Ticket waiter = scene.ticket(THREE);
    scene.granted(scene.ticket(THREE, 3));
    scene.waiting(waiter);
    assertThatThrownBy(() -> scene.attempt(waiter.withWeight(2)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("from 1 to 2");
    assertThatThrownBy(() -> scene.attempt(waiter.withShape(BOOK)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("read/write lock");
    assertThat(scene.waiting(waiter).ahead()).isEqualTo(1);
  }

  @Test
  void theSoonestOfTheHoldersSaysWhenToAskAgain() throws Exception {
    Ticket first = scene.ticket(THREE, 2);
    scene.granted(first);
    scene.passMillis(10_000);
    scene.granted(scene.ticket(THREE, 1));
    Standing.Waiting waiting = scene.waiting(scene.ticket(THREE, 1));
    assertThat(waiting.retryAfter()).isEqualTo(Duration.ofSeconds(20));
    assertThat(waiting.holder().orElseThrow().owner()).isEqualTo(first.owner());
  }

  @Test
  void aSemaphoreWithoutANumberAdoptsTheStoredOne() throws Exception {
    scene.granted(scene.ticket(THREE, 2));
    Ticket adopting = scene.ticket(Shape.semaphore(Shape.ADOPT));
    scene.granted(adopting);
    scene.waiting(scene.ticket(Shape.semaphore(Shape.ADOPT)));
  }

  @Test
  void withNothingToAdoptANumberMustBeStated() throws Exception {
    assertThatThrownBy(() -> scene.attempt(scene.ticket(Shape.semaphore(Shape.ADOPT))))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("state a number");
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void anAdoptingTicketCannotAskForMoreThanThereIs() throws Exception {
    scene.granted(scene.ticket(THREE));
    assertThatThrownBy(() -> scene.attempt(scene.ticket(Shape.semaphore(Shape.ADOPT), 4)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("capacity of 3");
  }

  @Test
  void resizingToMoreWakesTheWaitersThatFitNow() throws Exception {
    Ticket waiter = scene.ticket(THREE, 2);
    Ticket late = scene.ticket(THREE, 2);
    scene.granted(scene.ticket(THREE, 3));
    scene.waiting(waiter);
    scene.waiting(late);
    assertThat(scene.engine.resize(scene.ticket(Shape.semaphore(5)))).isTrue();
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
    scene.granted(waiter);
    scene.waiting(late);
    scene.waiting(scene.ticket(Shape.semaphore(5)));
    assertThatThrownBy(() -> scene.attempt(scene.ticket(THREE)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("semaphore of 5")
        .hasMessageContaining("semaphore of 3");
  }

  @Test
  void resizingToLessLetsHoldersStayAndNoWaiterInMeanwhile() throws Exception {
    Ticket one = scene.ticket(THREE);
    Ticket two = scene.ticket(THREE);
    Ticket three = scene.ticket(THREE);
    Ticket waiter = scene.ticket(THREE);
    scene.granted(one);
    scene.granted(two);
    scene.granted(three);
    scene.waiting(waiter);
    scene.engine.resize(scene.ticket(Shape.semaphore(1)));
    scene.granted(three);
    scene.leave(one);
    scene.leave(two);
    scene.waiting(waiter);
    assertThat(scene.woken).isEmpty();
    scene.leave(three);
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
    scene.granted(waiter);
  }

  @Test
  void aCalledWaiterIsNotGrantedAfterAResizeToLess() throws Exception {
    Ticket holder = scene.ticket(THREE, 2);
    Ticket leaving = scene.ticket(THREE);
    Ticket called = scene.ticket(THREE);
    scene.granted(holder);
    scene.granted(leaving);
    scene.waiting(called);
    scene.leave(leaving);
    scene.engine.resize(scene.ticket(Shape.semaphore(2)));
    scene.waiting(called);
    scene.leave(holder);
    assertThat(scene.woken).isEqualTo(Scene.numbers(called, called));
  }

  @Test
  void aWaiterThatCanNeverGetInAfterAResizeIsRefusedAndBlocksNoOther() throws Exception {
    Ticket heavy = scene.ticket(THREE, 3);
    Ticket light = scene.ticket(THREE, 1);
    scene.granted(scene.ticket(THREE, 1));
    scene.waiting(heavy);
    scene.waiting(light);
    scene.engine.resize(scene.ticket(Shape.semaphore(2)));
    assertThatThrownBy(() -> scene.attempt(heavy))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("capacity of 2")
        .hasMessageContaining("resize");
    assertThat(scene.woken).isEqualTo(Scene.numbers(light));
    scene.granted(light);
  }

  @Test
  void anEmptyLineHasNothingToResize() throws Exception {
    assertThat(scene.engine.resize(scene.ticket(THREE))).isFalse();
    scene.granted(scene.ticket(THREE));
    scene.pass(Scene.LEASE);
    assertThat(scene.engine.resize(scene.ticket(THREE))).isFalse();
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void onlySemaphoresAreResized() throws Exception {
    assertThatThrownBy(() -> scene.engine.resize(scene.ticket(BOOK)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("only semaphores");
    assertThatThrownBy(() -> scene.engine.resize(scene.ticket(Shape.semaphore(Shape.ADOPT))))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("stated number");
    scene.granted(scene.ticket(Shape.mutex(Order.FIFO)));
    assertThatThrownBy(() -> scene.engine.resize(scene.ticket(THREE)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("mutex in order FIFO")
        .hasMessageContaining("semaphore of 3");
  }
}
