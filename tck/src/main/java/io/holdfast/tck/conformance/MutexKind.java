package io.holdfast.tck.conformance;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;

/** A primitive with one holder at a time, which must pass the mutex tests. */
enum MutexKind {
  MUTEX("mutex", Shape.mutex(Order.ANY)),
  FIFO_MUTEX("FIFO mutex", Shape.mutex(Order.FIFO)),
  SEMAPHORE_OF_ONE("semaphore of 1", Shape.semaphore(1)),
  LAST_PERMIT("last permit of 3", Shape.semaphore(3)),
  WRITE_LOCK("write lock", Shape.readWrite()),
  ONCE("once", Shape.once());

  private static final Duration LONG = Duration.ofHours(1);

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // A record of enums and a number.
  private final Shape shape;

  MutexKind(String text, Shape shape) {
    this.text = text;
    this.shape = shape;
  }

  Shape shape() {
    return shape;
  }

  boolean keepsOrder() {
    return shape.order() == Order.FIFO;
  }

  /** A ticket that excludes all others. */
  Ticket ticket(VerbClient client, Resource resource) {
    return client.ticket(resource, shape);
  }

  /** The number of tickets in line that only reduce the capacity to one. */
  int fillerTickets() {
    return this == LAST_PERMIT ? 1 : 0;
  }

  /** Prepares a resource that admits one holder at a time. */
  Resource resource(KitFixture fixture, String name) throws Exception {
    Resource resource = fixture.resource(name);
    if (this == LAST_PERMIT) {
      fill(fixture.verbClient(), resource, fixture);
    }
    return resource;
  }

  private void fill(VerbClient filler, Resource resource, KitFixture fixture)
      throws EngineException {
    Ticket ticket = filler.ticket(resource, shape, shape.capacity() - 1);
    boolean session = fixture.traits().sessionLease().isPresent();
    filler.expectGranted(session ? ticket : ticket.withLease(LONG));
  }

  /** The lock of a resource that {@link #resource} has prepared. */
  DistributedLock lock(Holdfast holdfast, String name) {
    return switch (this) {
      case MUTEX -> holdfast.lock(name);
      case FIFO_MUTEX -> fifo(holdfast).lock(name);
      case SEMAPHORE_OF_ONE, LAST_PERMIT -> holdfast.semaphore(name, shape.capacity());
      case WRITE_LOCK -> holdfast.readWriteLock(name).writeLock();
      case ONCE -> throw new AssertionError("once is not a lock");
    };
  }

  private static Holdfast fifo(Holdfast holdfast) {
    return holdfast.with((HoldfastOptions options) -> options.withOrder(Order.FIFO));
  }

  @Override
  public String toString() {
    return text;
  }
}
