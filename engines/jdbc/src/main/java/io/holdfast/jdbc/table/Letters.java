package io.holdfast.jdbc.table;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;

/** Shapes as the column {@code kind} has them. */
final class Letters {

  /** A row that nobody has used yet. */
  static final String UNUSED = "-";

  /** The mark of a finished run. */
  static final String DONE = "d";

  static final String ONCE = "o";

  private Letters() {}

  static boolean isLine(Shape shape) {
    return shape.order() == Order.FIFO;
  }

  static boolean isLine(String letter) {
    return letter.equals("f") || letter.equals("s") || letter.equals("w");
  }

  static String of(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? "m" : "f";
      case ONCE -> ONCE;
      case SEMAPHORE -> "s";
      case READ_WRITE -> "w";
    };
  }

  /** The shape of a letter; what we do not know is shown as a line of its capacity. */
  static Shape shape(String letter, int capacity) {
    return switch (letter) {
      case "m", UNUSED -> Shape.mutex(Order.ANY);
      case "f" -> Shape.mutex(Order.FIFO);
      case ONCE, DONE -> Shape.once();
      case "w" -> Shape.readWrite();
      default -> Shape.semaphore(Math.max(1, Math.min(capacity, Shape.MAX_PERMITS)));
    };
  }
}
