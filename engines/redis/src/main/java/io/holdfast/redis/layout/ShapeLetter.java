package io.holdfast.redis.layout;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;

/** The letter by which a shape is stored. */
public final class ShapeLetter {

  private ShapeLetter() {}

  /** Returns whether tickets of this shape stand in a line; if not, the resource is one key. */
  public static boolean isLine(Shape shape) {
    return shape.order() == Order.FIFO;
  }

  /** Returns the letter of a shape. */
  public static String of(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? "m" : "f";
      case ONCE -> "o";
      case SEMAPHORE -> "s";
      case READ_WRITE -> "w";
    };
  }

  /** Returns the shape of a letter; an unknown letter is shown as a line of its capacity. */
  public static Shape shape(String letter, int capacity) {
    return switch (letter) {
      case "m" -> Shape.mutex(Order.ANY);
      case "f" -> Shape.mutex(Order.FIFO);
      case "o" -> Shape.once();
      case "w" -> Shape.readWrite();
      default -> Shape.semaphore(Math.max(1, Math.min(capacity, Shape.MAX_PERMITS)));
    };
  }
}
