package io.holdfast.tck;

import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import org.jspecify.annotations.Nullable;

/** What an engine may claim or not. */
enum Need {
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

  Need(@Nullable Shape shape) {
    this.shape = shape;
  }

  boolean isMet(Stage stage) {
    return switch (this) {
      case INSPECTOR -> stage.inspector().isPresent();
      case COUNTER -> stage.hasCounter();
      case SIGNALS -> stage.traits().signals();
      case PORTABLE -> stage.traits().guarantees().contains(Guarantee.PORTABLE_TICKETS);
      case MANUAL_TIME -> stage.time().isManual();
      default -> shape != null && stage.traits().serves(shape);
    };
  }

  /** What must be so when it is not met. */
  void checkUnmet(Stage stage) throws Exception {
    if (shape != null) {
      Refusal.check(stage, shape);
    }
  }
}
