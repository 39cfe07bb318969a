package io.holdfast.jdbc.table.layout;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;

/** The codes of shapes in the column {@code kind}. */
public final class ShapeCode {

  /** A row that was never used. */
  static final String UNUSED = "-";

  /** The mark of a finished run. */
  public static final String DONE = "d";

  public static final String ONCE = "o";

  private ShapeCode() {}

  public static boolean isLine(Shape shape) {
    return shape.order() == Order.FIFO;
  }

  public static boolean isLine(String letter) {
    return letter.equals("f") || letter.equals("s") || letter.equals("w");
  }

  public static String of(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? "m" : "f";
      case ONCE -> ONCE;
      case SEMAPHORE -> "s";
      case READ_WRITE -> "w";
    };
  }

  /** Returns the shape of a code; an unknown code is shown as a line of its capacity. */
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
