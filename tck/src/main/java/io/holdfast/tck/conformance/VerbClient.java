package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Calls the verbs of its engine directly, from one thread at a time. */
final class VerbClient {

  /** Ignores wakes. */
  static final Wake IGNORED = () -> {};

  private final KitFixture fixture;
  private final LockEngine engine;
  private final LockEngine lane;
  private final long high;
  private final long low;
  private final String name;
  private final AtomicLong tickets = new AtomicLong();

  VerbClient(KitFixture fixture, LockEngine engine, String name) throws EngineException {
    this.fixture = fixture;
    this.engine = engine;
    this.lane = engine.lane();
    this.name = name;
    this.high = fixture.random().nextLong();
    // Not by the seed alone: a store remembers which tickets another test of this seed has left.
    this.low = fixture.random().nextLong() ^ System.nanoTime();
  }

  /** The engine that the client is connected through. */
  LockEngine engine() {
    return engine;
  }

  /** The lane that performs the verbs. */
  LockEngine lane() {
    return lane;
  }

  Ticket ticket(Resource resource, Shape shape) {
    return ticket(resource, shape, shape.kind() == Shape.Kind.READ_WRITE ? shape.capacity() : 1);
  }

  Ticket ticket(Resource resource, Shape shape, int weight) {
    return ticket(resource, shape, weight, 0, true);
  }

  Ticket reader(Resource resource) {
    return ticket(resource, Shape.readWrite(), 1);
  }

  Ticket fifo(Resource resource) {
    return ticket(resource, Shape.mutex(Order.FIFO));
  }

  Ticket ofGeneration(Resource resource, Shape shape, int generation) {
    return ticket(resource, shape, 1, generation, true);
  }

  /** A ticket that does not join the line. */
  Ticket withoutWaiting(Resource resource, Shape shape) {
    int weight = shape.kind() == Shape.Kind.READ_WRITE ? shape.capacity() : 1;
    return ticket(resource, shape, weight, 0, false);
  }

  private Ticket ticket(Resource resource, Shape shape, int weight, int generation, boolean waits) {
    return new Ticket(
        new Ticket.Id(high, low, tickets.incrementAndGet()),
        resource,
        shape,
        weight,
        fixture.lease(),
        generation,
        waits,
        new Owner("tck", "kit", 1, name, ""));
  }

  Standing attempt(Ticket ticket) throws EngineException {
    return lane.attempt(ticket, IGNORED);
  }

  Renewal renew(Ticket ticket) throws EngineException {
    return lane.renew(ticket);
  }

  Left leave(Ticket ticket) throws EngineException {
    return lane.leave(ticket, false);
  }

  Left leaveInDoubt(Ticket ticket) throws EngineException {
    return lane.leave(ticket, true);
  }

  boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return lane.settle(ticket, keep);
  }

  boolean resize(Ticket ticket) throws EngineException {
    return lane.resize(ticket);
  }

  /** Attempts; fails unless the ticket is granted. */
  Standing.Granted expectGranted(Ticket ticket) throws EngineException {
    return expectGranted(ticket, IGNORED);
  }

  Standing.Granted expectGranted(Ticket ticket, Wake wake) throws EngineException {
    Standing standing = lane.attempt(ticket, wake);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Granted.class);
    return (Standing.Granted) standing;
  }

  /** Attempts; fails unless the ticket has to wait. */
  Standing.Waiting expectWaiting(Ticket ticket) throws EngineException {
    return expectWaiting(ticket, IGNORED);
  }

  Standing.Waiting expectWaiting(Ticket ticket, Wake wake) throws EngineException {
    Standing standing = lane.attempt(ticket, wake);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Waiting.class);
    return (Standing.Waiting) standing;
  }

  /** Attempts; fails unless the store reports that the run is done. */
  Standing.Done expectDone(Ticket ticket) throws EngineException {
    Standing standing = attempt(ticket);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Done.class);
    return (Standing.Done) standing;
  }

  /** Attempts; fails unless the ticket is refused. Returns the message of the refusal. */
  String expectRefused(Ticket ticket) {
    Throwable thrown = catchThrowable(() -> attempt(ticket));
    assertThat(thrown).as("attempt of %s", ticket).isInstanceOf(EngineException.Refused.class);
    return String.valueOf(thrown.getMessage());
  }

  /** Renews; fails unless the ticket is renewed. */
  Renewal.Renewed expectRenewed(Ticket ticket) throws EngineException {
    Renewal renewal = renew(ticket);
    assertThat(renewal).as("renewal of %s", ticket).isInstanceOf(Renewal.Renewed.class);
    return (Renewal.Renewed) renewal;
  }

  /** Renews; fails unless the store reports that the ticket is gone. */
  Renewal.Gone expectGone(Ticket ticket) throws EngineException {
    Renewal renewal = renew(ticket);
    assertThat(renewal).as("renewal of %s", ticket).isInstanceOf(Renewal.Gone.class);
    return (Renewal.Gone) renewal;
  }

  /** Repeats the attempt until the ticket is granted. */
  Standing.Granted awaitGranted(Ticket ticket, Duration bound) throws EngineException {
    fixture
        .time()
        .until(name + " is granted", bound, () -> attempt(ticket) instanceof Standing.Granted);
    return expectGranted(ticket);
  }

  /** Kills this client: the store receives nothing from it again. */
  void kill() {
    fixture.kill(this);
  }
}
