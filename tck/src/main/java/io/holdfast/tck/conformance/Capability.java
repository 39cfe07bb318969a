package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import org.jspecify.annotations.Nullable;

/** A capability that an engine may or may not claim. */
enum Capability {
  ANY(Shape.mutex(Order.ANY)),
  FIFO(Shape.mutex(Order.FIFO)),
  SEMAPHORE(Shape.semaphore(2)),
  READ_WRITE(Shape.readWrite()),
  ONCE(Shape.once()),
  INSPECTOR(null),
  COUNTER(null),
  SIGNALS(null),
  PORTABLE(null),
  MANUAL_TIME(null);

  @SuppressWarnings("ImmutableEnumChecker") // A record of enums and a number.
  private final @Nullable Shape shape;

  Capability(@Nullable Shape shape) {
    this.shape = shape;
  }

  boolean isClaimed(KitFixture fixture) throws EngineException {
    return switch (this) {
      case INSPECTOR -> fixture.inspector().isPresent();
      case COUNTER -> fixture.hasCounter();
      case SIGNALS -> fixture.guarantees().contains(Guarantee.SIGNALS);
      case PORTABLE -> fixture.guarantees().contains(Guarantee.PORTABLE_TICKETS);
      case MANUAL_TIME -> fixture.time().isManual();
      default -> shape != null && fixture.traits().serves(shape);
    };
  }

  /** Checks what must hold if the engine does not claim it. */
  void checkUnclaimed(KitFixture fixture) throws Exception {
    if (shape != null) {
      RefusalCheck.check(fixture, shape);
    }
  }
}
