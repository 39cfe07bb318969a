package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Refusals: tickets that have left, other shapes, and clients of an older generation. */
class MemoryRefusalTest {

  private static final Shape MUTEX = Shape.mutex(Order.ANY);

  private final Scene scene = new Scene();

  @Test
  void anAttemptThatArrivesAfterTheLeaveIsRefusedForOneLease() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    assertThat(scene.engine.leave(ticket, true)).isEqualTo(Left.NOTHING);
    scene.pass(Scene.LEASE.minusNanos(1));
    assertThatThrownBy(() -> scene.attempt(ticket))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("has left")
        .hasMessageContaining("\"door\" at memory:");
    scene.pass(Duration.ofNanos(1));
    scene.granted(scene.ticket(MUTEX));
    assertThat(scene.engine.store().departures.size()).isZero();
  }

  @Test
  void aTicketThatLeftMayComeBackAfterOneLeaseHoweverManyLeft() throws Exception {
    Ticket last = scene.ticket(MUTEX);
    for (int i = 0; i < 200; i++) {
      last = scene.ticket(MUTEX);
      scene.engine.leave(last, true);
    }
    scene.pass(Scene.LEASE);
    scene.granted(last);
  }

  @Test
  void aHolderThatLeavesInDoubtIsOutAtOnce() throws Exception {
    Ticket ticket = scene.ticket(MUTEX);
    scene.granted(ticket);
    assertThat(scene.engine.leave(ticket, true)).isEqualTo(Left.HOLDING);
    assertThatThrownBy(() -> scene.attempt(ticket)).isInstanceOf(Refused.class);
    scene.granted(scene.ticket(MUTEX));
  }

  @Test
  void anotherShapeIsRefusedNamingBoth() throws Exception {
    scene.granted(scene.ticket(Shape.semaphore(3)));
    for (Shape other : new Shape[] {MUTEX, Shape.semaphore(4), Shape.readWrite(), Shape.once()}) {
      assertThatThrownBy(() -> scene.attempt(scene.ticket(other)))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("semaphore of 3")
          .hasMessageContaining(other.toString())
          .hasMessageContaining("\"door\" at memory:");
    }
  }

  @Test
  void theOtherOrderIsAnotherShape() throws Exception {
    scene.granted(scene.ticket(MUTEX));
    assertThatThrownBy(() -> scene.attempt(scene.ticket(Shape.mutex(Order.FIFO))))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("ANY")
        .hasMessageContaining("FIFO");
  }

  @Test
  void theShapeIsFreeAgainWhenTheLineIsEmpty() throws Exception {
    Ticket ticket = scene.ticket(Shape.semaphore(3));
    scene.granted(ticket);
    scene.leave(ticket);
    Ticket mutex = scene.ticket(MUTEX);
    scene.granted(mutex);
    scene.pass(Scene.LEASE);
    scene.granted(scene.ticket(Shape.readWrite()));
  }

  @Test
  void aClientOfALowerGenerationIsRefusedNamingBoth() throws Exception {
    long old = scene.granted(scene.ofGeneration(3, MUTEX));
    scene.pass(Scene.LEASE);
    long token = scene.granted(scene.ofGeneration(4, MUTEX));
    assertThat(token).isGreaterThan(old);
    assertThat(Token.generation(token)).isEqualTo(4);
    scene.pass(Scene.LEASE);
    assertThatThrownBy(() -> scene.attempt(scene.ofGeneration(3, MUTEX)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("generation 3")
        .hasMessageContaining("generation 4");
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void aGenerationThatIsRaisedInOneNamespaceLeavesOthersAlone() throws Exception {
    scene.granted(scene.ofGeneration(4, MUTEX));
    Resource elsewhere = new Resource("elsewhere", Scene.DOOR.name());
    long token = scene.granted(scene.ticket(elsewhere, MUTEX, 1, 3, true));
    assertThat(Token.generation(token)).isEqualTo(3);
    assertThatThrownBy(() -> scene.attempt(scene.ofGeneration(3, MUTEX)))
        .isInstanceOf(Refused.class);
  }

  @Test
  void aHolderOfALowerGenerationMayFinish() throws Exception {
    Ticket old = scene.ticket(MUTEX);
    scene.granted(old);
    scene.granted(scene.ticket(new Resource("default", "elsewhere"), MUTEX, 1, 1, true));
    assertThat(scene.renew(old)).isInstanceOf(Renewal.Renewed.class);
    assertThat(scene.leave(old)).isEqualTo(Left.HOLDING);
  }
}
