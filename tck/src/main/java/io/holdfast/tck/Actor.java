package io.holdfast.tck;

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

/** A client that calls the verbs of its engine directly, from one thread at a time. */
final class Actor {

  /** Nobody listens. */
  static final Wake DEAF = () -> {};

  private final Stage stage;
  private final LockEngine engine;
  private final LockEngine lane;
  private final long high;
  private final long low;
  private final String name;
  private final AtomicLong tickets = new AtomicLong();

  Actor(Stage stage, LockEngine engine, String name) throws EngineException {
    this.stage = stage;
    this.engine = engine;
    this.lane = engine.lane();
    this.name = name;
    this.high = stage.random().nextLong();
    this.low = stage.random().nextLong();
  }

  /** The engine as it was connected. */
  LockEngine engine() {
    return engine;
  }

  /** What the verbs go to. */
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
  Ticket impatient(Resource resource, Shape shape) {
    int weight = shape.kind() == Shape.Kind.READ_WRITE ? shape.capacity() : 1;
    return ticket(resource, shape, weight, 0, false);
  }

  private Ticket ticket(Resource resource, Shape shape, int weight, int generation, boolean waits) {
    return new Ticket(
        new Ticket.Id(high, low, tickets.incrementAndGet()),
        resource,
        shape,
        weight,
        stage.lease(),
        generation,
        waits,
        new Owner("tck", "stage", 1, name, ""));
  }

  Standing attempt(Ticket ticket) throws EngineException {
    return lane.attempt(ticket, DEAF);
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

  /** Attempts and must be in. */
  Standing.Granted in(Ticket ticket) throws EngineException {
    return in(ticket, DEAF);
  }

  Standing.Granted in(Ticket ticket, Wake wake) throws EngineException {
    Standing standing = lane.attempt(ticket, wake);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Granted.class);
    return (Standing.Granted) standing;
  }

  /** Attempts and must not be in. */
  Standing.Waiting out(Ticket ticket) throws EngineException {
    return out(ticket, DEAF);
  }

  Standing.Waiting out(Ticket ticket, Wake wake) throws EngineException {
    Standing standing = lane.attempt(ticket, wake);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Waiting.class);
    return (Standing.Waiting) standing;
  }

  /** Attempts and must be told that the run is done. */
  Standing.Done done(Ticket ticket) throws EngineException {
    Standing standing = attempt(ticket);
    assertThat(standing).as("attempt of %s", ticket).isInstanceOf(Standing.Done.class);
    return (Standing.Done) standing;
  }

  /** Attempts and must be refused for good; answers what it is told. */
  String refused(Ticket ticket) {
    Throwable thrown = catchThrowable(() -> attempt(ticket));
    assertThat(thrown).as("attempt of %s", ticket).isInstanceOf(EngineException.Refused.class);
    return String.valueOf(thrown.getMessage());
  }

  /** Renews and must be in. */
  Renewal.Renewed renewed(Ticket ticket) throws EngineException {
    Renewal renewal = renew(ticket);
    assertThat(renewal).as("renewal of %s", ticket).isInstanceOf(Renewal.Renewed.class);
    return (Renewal.Renewed) renewal;
  }

  /** Renews and must hear that it is gone. */
  Renewal.Gone gone(Ticket ticket) throws EngineException {
    Renewal renewal = renew(ticket);
    assertThat(renewal).as("renewal of %s", ticket).isInstanceOf(Renewal.Gone.class);
    return (Renewal.Gone) renewal;
  }

  /** Asks again and again until it is in. */
  Standing.Granted getsIn(Ticket ticket, Duration bound) throws EngineException {
    stage.time().until(name + " gets in", bound, () -> attempt(ticket) instanceof Standing.Granted);
    return in(ticket);
  }

  /** Dies: the store hears nothing of it again. */
  void dies() {
    stage.kill(this);
  }
}
