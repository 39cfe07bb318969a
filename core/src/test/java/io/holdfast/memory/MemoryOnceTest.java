package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One run in a period, and the mark that it leaves behind. */
class MemoryOnceTest {

  private static final Shape ONCE = Shape.once();
  private static final Duration HOUR = Duration.ofHours(1);

  private final Scene scene = new Scene();

  @Test
  void aFinishedRunIsDoneForAllUntilItsMarkEnds() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    scene.granted(runner);
    assertThat(scene.engine.settle(runner, HOUR)).isTrue();
    scene.passMillis(60_000);
    assertThat(scene.attempt(scene.ticket(ONCE)))
        .isEqualTo(new Standing.Done(HOUR.minusMinutes(1)));
    scene.pass(HOUR.minusMinutes(1).minusNanos(1));
    assertThat(scene.attempt(scene.impatient(ONCE)))
        .isEqualTo(new Standing.Done(Duration.ofNanos(1)));
    scene.pass(Duration.ofNanos(1));
    scene.granted(scene.ticket(ONCE));
  }

  @Test
  void aFinishedRunWakesAllWhoWaitForItsResult() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    Ticket one = scene.ticket(ONCE);
    Ticket two = scene.ticket(ONCE);
    scene.granted(runner);
    scene.waiting(one);
    scene.waiting(two);
    scene.engine.settle(runner, HOUR);
    assertThat(scene.woken).isEqualTo(Scene.numbers(one, two));
    assertThat(scene.attempt(one)).isEqualTo(new Standing.Done(HOUR));
    assertThat(scene.leave(two)).isEqualTo(Left.NOTHING);
  }

  @Test
  void aRunThatFailsIsTakenOverByTheFirstWhoWaits() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    Ticket next = scene.ticket(ONCE);
    scene.granted(runner);
    scene.waiting(next);
    scene.leave(runner);
    assertThat(scene.woken).isEqualTo(Scene.numbers(next));
    scene.waiting(scene.ticket(ONCE));
    scene.granted(next);
  }

  @Test
  void settlingTwiceSetsOneMarkAndDoesNotProlongIt() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    scene.granted(runner);
    scene.engine.settle(runner, HOUR);
    scene.passMillis(1_000);
    assertThat(scene.engine.settle(runner, HOUR)).isTrue();
    assertThat(scene.attempt(scene.ticket(ONCE)))
        .isEqualTo(new Standing.Done(HOUR.minusSeconds(1)));
  }

  @Test
  void aTicketThatIsNoLongerGrantedSetsNoMark() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    assertThat(scene.engine.settle(runner, HOUR)).isFalse();
    scene.granted(runner);
    Ticket waiter = scene.ticket(ONCE);
    scene.waiting(waiter);
    assertThat(scene.engine.settle(waiter, HOUR)).isFalse();
    scene.pass(Scene.LEASE);
    assertThat(scene.engine.settle(runner, HOUR)).isFalse();
    scene.granted(waiter);
    assertThat(scene.engine.settle(runner, HOUR)).isFalse();
  }

  @Test
  void aMarkThatHasEndedBeforeItIsSetFreesTheNameAtOnce() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    Ticket waiter = scene.ticket(ONCE);
    scene.granted(runner);
    scene.waiting(waiter);
    assertThat(scene.engine.settle(runner, Duration.ofSeconds(-1))).isTrue();
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
    scene.granted(waiter);
  }

  @Test
  void aMarkOutlivesItsMakersLeave() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    scene.granted(runner);
    scene.engine.settle(runner, HOUR);
    assertThat(scene.leave(runner)).isEqualTo(Left.NOTHING);
    assertThat(scene.attempt(runner)).isEqualTo(new Standing.Done(HOUR));
  }

  @Test
  void aMarkedNameKeepsItsShape() throws Exception {
    Ticket runner = scene.ticket(ONCE);
    scene.granted(runner);
    scene.engine.settle(runner, HOUR);
    assertThatThrownBy(() -> scene.attempt(scene.ticket(Shape.mutex(Order.ANY))))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("once")
        .hasMessageContaining("mutex in order ANY");
  }

  @Test
  void onlyRunsAndMutexesAreSettled() throws Exception {
    for (Shape shape : List.of(Shape.semaphore(1), Shape.readWrite())) {
      Ticket other = scene.ticket(shape);
      scene.granted(other);
      assertThatThrownBy(() -> scene.engine.settle(other, HOUR))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("only once has marks, and only mutexes can be kept");
      scene.engine.leave(other, false);
    }
  }

  @Test
  void marksThatHaveEndedVanishWithoutAnybodyAskingForTheirNames() throws Exception {
    for (int i = 0; i < 60; i++) {
      Ticket runner = scene.ticket(new Resource("default", "run/" + i), ONCE, 1);
      scene.granted(runner);
      scene.engine.settle(runner, HOUR);
    }
    assertThat(scene.engine.store().lines()).hasSize(60);
    scene.pass(HOUR);
    Ticket other = scene.ticket(new Resource("default", "another"), ONCE, 1);
    scene.granted(other);
    scene.leave(other);
    assertThat(scene.isClean()).isTrue();
  }
}
