package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import java.time.Duration;

/** Checks that an engine refuses an unsupported shape at once, and names it. */
final class RefusalCheck {

  private RefusalCheck() {}

  static void check(KitFixture fixture, Shape shape) throws Exception {
    VerbClient client = fixture.verbClient();
    Throwable direct =
        catchThrowable(() -> client.attempt(client.ticket(fixture.resource("unclaimed"), shape)));
    assertThat(direct)
        .as("attempt with a %s, which the traits do not claim", shape)
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining(shape.toString());
    Holdfast holdfast = fixture.apiClient().holdfast();
    Throwable called = catchThrowable(() -> ask(holdfast, shape));
    assertThat(called)
        .as("acquire of a %s, which the traits do not claim", shape)
        .isInstanceOf(LockRefusedException.class);
    assertThat(fixture.ticketCount("unclaimed").orElse(0)).as("left behind").isZero();
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
