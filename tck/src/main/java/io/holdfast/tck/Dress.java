package io.holdfast.tck;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;

/** What lets one in at a time, under whatever name: mutexes, and others dressed up as such. */
enum Dress {
  MUTEX("a mutex", Shape.mutex(Order.ANY)),
  FIFO_MUTEX("a mutex in order", Shape.mutex(Order.FIFO)),
  SEMAPHORE_OF_ONE("a semaphore of 1", Shape.semaphore(1)),
  LAST_PERMIT("the last permit of 3", Shape.semaphore(3)),
  WRITE_LOCK("a write lock", Shape.readWrite()),
  ONCE("a run of once", Shape.once());

  private static final Duration LONG = Duration.ofHours(1);

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // A record of enums and a number.
  private final Shape shape;

  Dress(String text, Shape shape) {
    this.text = text;
    this.shape = shape;
  }

  Shape shape() {
    return shape;
  }

  boolean keepsOrder() {
    return shape.order() == Order.FIFO;
  }

  /** A ticket that wants all there is to have. */
  Ticket ticket(Actor actor, Resource resource) {
    return actor.ticket(resource, shape);
  }

  /** How many tickets stand in the line on behalf of the disguise. */
  int drained() {
    return this == LAST_PERMIT ? 1 : 0;
  }

  /** Makes the resource one that lets in one at a time. */
  Resource resource(Stage stage, String name) throws Exception {
    Resource resource = stage.resource(name);
    if (this == LAST_PERMIT) {
      drain(stage.actor(), resource, stage);
    }
    return resource;
  }

  private void drain(Actor drainer, Resource resource, Stage stage) throws EngineException {
    Ticket ticket = drainer.ticket(resource, shape, shape.capacity() - 1);
    boolean session = stage.traits().sessionLease().isPresent();
    drainer.in(session ? ticket : ticket.withLease(LONG));
  }

  /** The lock as programs have it; the resource must have been made before. */
  DistributedLock lock(Holdfast holdfast, String name) {
    return switch (this) {
      case MUTEX -> holdfast.lock(name);
      case FIFO_MUTEX -> inOrder(holdfast).lock(name);
      case SEMAPHORE_OF_ONE, LAST_PERMIT -> holdfast.semaphore(name, shape.capacity());
      case WRITE_LOCK -> holdfast.readWriteLock(name).writeLock();
      case ONCE -> throw new AssertionError("once is not a lock");
    };
  }

  private static Holdfast inOrder(Holdfast holdfast) {
    return holdfast.with((HoldfastOptions options) -> options.withOrder(Order.FIFO));
  }

  @Override
  public String toString() {
    return text;
  }
}
