package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import java.time.Duration;

/** What is not claimed is refused, at once and by name, whoever asks. */
final class Refusal {

  private Refusal() {}

  static void check(Stage stage, Shape shape) throws Exception {
    Actor actor = stage.actor();
    Throwable direct =
        catchThrowable(() -> actor.attempt(actor.ticket(stage.resource("unclaimed"), shape)));
    assertThat(direct)
        .as("attempt with a %s, which the traits do not claim", shape)
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining(shape.toString());
    Holdfast holdfast = stage.caller().holdfast();
    Throwable called = catchThrowable(() -> ask(holdfast, shape));
    assertThat(called)
        .as("acquire of a %s, which the traits do not claim", shape)
        .isInstanceOf(LockRefusedException.class);
    assertThat(stage.standing("unclaimed").orElse(0)).as("left behind").isZero();
  }

  private static void ask(Holdfast holdfast, Shape shape) throws InterruptedException {
    if (shape.kind() == Shape.Kind.ONCE) {
      holdfast.once("unclaimed", Duration.ofMinutes(1)).runNoWait(hold -> {});
      return;
    }
    DistributedLock lock =
        switch (shape.kind()) {
          case SEMAPHORE -> holdfast.semaphore("unclaimed", shape.capacity());
          case READ_WRITE -> holdfast.readWriteLock("unclaimed").writeLock();
          default -> holdfast.with(o -> o.withOrder(shape.order())).lock("unclaimed");
        };
    lock.tryAcquire();
  }
}
