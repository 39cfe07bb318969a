package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine with a manual clock, and the tickets that compete there. */
final class Scene {

  static final Duration LEASE = Duration.ofSeconds(30);
  static final Resource DOOR = new Resource("default", "door");

  /** The numbers of the woken tickets, in order. */
  final List<Long> woken = new ArrayList<>();

  final MemoryEngine engine;
  private long now;
  private long numbers;

  /** Starts close before the clock wraps around: no test must notice. */
  Scene() {
    this(Long.MAX_VALUE - Duration.ofSeconds(20).toNanos());
  }

  Scene(long start) {
    now = start;
    engine = MemoryEngine.create(() -> now, () -> 64_000_000L);
  }

  void pass(Duration time) {
    now += time.toNanos();
  }

  void passMillis(long millis) {
    pass(Duration.ofMillis(millis));
  }

  long now() {
    return now;
  }

  Ticket ticket(Shape shape) {
    return ticket(DOOR, shape, 1);
  }

  Ticket ticket(Shape shape, int weight) {
    return ticket(DOOR, shape, weight);
  }

  Ticket ticket(Resource resource, Shape shape, int weight) {
    return ticket(resource, shape, weight, 0, true);
  }

  Ticket impatient(Shape shape) {
    return ticket(DOOR, shape, 1, 0, false);
  }

  Ticket ofGeneration(int generation, Shape shape) {
    return ticket(DOOR, shape, 1, generation, true);
  }

  Ticket ticket(Resource resource, Shape shape, int weight, int generation, boolean waits) {
    long number = ++numbers;
    Ticket.Id id = new Ticket.Id(1, 2, number);
    Owner owner = new Owner("test", "here", 1, "t" + number, "");
    return new Ticket(id, resource, shape, weight, LEASE, generation, waits, owner);
  }

  Standing attempt(Ticket ticket) throws EngineException {
    return engine.attempt(ticket, () -> woken.add(ticket.id().number()));
  }

  long granted(Ticket ticket) throws EngineException {
    Standing standing = attempt(ticket);
    assertThat(standing).isInstanceOf(Standing.Granted.class);
    return ((Standing.Granted) standing).token();
  }

  Standing.Waiting waiting(Ticket ticket) throws EngineException {
    Standing standing = attempt(ticket);
    assertThat(standing).isInstanceOf(Standing.Waiting.class);
    return (Standing.Waiting) standing;
  }

  Renewal renew(Ticket ticket) throws EngineException {
    return engine.renew(ticket);
  }

  Left leave(Ticket ticket) throws EngineException {
    return engine.leave(ticket, false);
  }

  /** The numbers of these tickets, to compare with {@link #woken}. */
  static List<Long> numbers(Ticket... tickets) {
    List<Long> numbers = new ArrayList<>();
    for (Ticket ticket : tickets) {
      numbers.add(ticket.id().number());
    }
    return numbers;
  }

  /** Nothing at all is left in the store. */
  boolean isClean() {
    return engine.store().lines().isEmpty() && engine.store().departures.size() == 0;
  }
}
