package io.holdfast.spi;

/**
 * The kind of a resource, its capacity and the order of its grants.
 *
 * <p>All primitives are one arithmetic: a ticket is granted if and only if its weight plus
 * everything ahead of it fits into the capacity. A mutex is 1 of 1, a semaphore k of n, a reader 1
 * and a writer all of {@link #READ_WRITE_CAPACITY}.
 *
 * @param capacity at least 1, or {@link #ADOPT} for a semaphore that takes the stored capacity
 */
public record Shape(Kind kind, int capacity, Order order) {

  /** The capacity of a read/write lock: this many readers fit, and a writer takes all of it. */
  public static final int READ_WRITE_CAPACITY = 1 << 20;

  /** Stands for the capacity that the store already knows, in a semaphore's shape. */
  public static final int ADOPT = 0;

  /** The largest number of permits of a semaphore. */
  public static final int MAX_PERMITS = 1 << 20;

  private static final Shape ANY_MUTEX = new Shape(Kind.MUTEX, 1, Order.ANY);
  private static final Shape FIFO_MUTEX = new Shape(Kind.MUTEX, 1, Order.FIFO);

  /** How a resource is used; two kinds never share a name at the same time. */
  public enum Kind {
    /** One holder. */
    MUTEX,
    /** A number of permits. */
    SEMAPHORE,
    /** Many readers or one writer. */
    READ_WRITE,
    /** One run in a period; a finished run leaves a mark. */
    ONCE
  }

  public Shape {
    boolean adopts = kind == Kind.SEMAPHORE && capacity == ADOPT;
    if (!adopts && (capacity < 1 || capacity > MAX_PERMITS)) {
      throw new IllegalArgumentException(
          "capacity must be 1.." + MAX_PERMITS + ": capacity=" + capacity);
    }
    if (order == Order.ANY && (kind == Kind.SEMAPHORE || kind == Kind.READ_WRITE)) {
      throw new IllegalArgumentException(
          kind + " is always a FIFO line, so that large claims do not starve: order=" + order);
    }
  }

  /** Returns the shape of a mutex in the given order. */
  public static Shape mutex(Order order) {
    return order == Order.ANY ? ANY_MUTEX : FIFO_MUTEX;
  }

  /** Returns the shape of a semaphore with this many permits, or {@link #ADOPT}. */
  public static Shape semaphore(int permits) {
    return new Shape(Kind.SEMAPHORE, permits, Order.FIFO);
  }

  /** Returns the shape of a read/write lock. */
  public static Shape readWrite() {
    return new Shape(Kind.READ_WRITE, READ_WRITE_CAPACITY, Order.FIFO);
  }

  /** Returns the shape of one run in a period. */
  public static Shape once() {
    return new Shape(Kind.ONCE, 1, Order.ANY);
  }

  /** Returns whether a ticket of this shape may join a line of the other, stored shape. */
  public boolean fits(Shape stored) {
    return kind == stored.kind
        && order == stored.order
        && (capacity == stored.capacity || capacity == ADOPT);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case MUTEX -> "mutex in order " + order;
      case SEMAPHORE ->
          capacity == ADOPT ? "semaphore of the stored size" : "semaphore of " + capacity;
      case READ_WRITE -> "read/write lock";
      case ONCE -> "once";
    };
  }
}
