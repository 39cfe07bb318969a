package io.holdfast.memory;

import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.LineRules;
import io.holdfast.spi.support.LineStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one or several engines: lines, token counter, generations and departed tickets.
 *
 * <p>An empty line is not in the map.
 */
final class MemoryStore implements LineStore {

  /** How long a free resource without an order is kept for its first waiter. */
  static final Duration RESERVE = Duration.ofMillis(5);

  private static final int FEW_LINES = 1024;

  final String name;
  final Departures departures;
  final Refusals refusals;
  final LineRules rules;

  /** The signals of the clients that hold tickets here; revoke and evict notify all of them. */
  final Set<HoldSignal> holdSignals = ConcurrentHashMap.newKeySet();

  /** The next number of each counter; kept as long as the store. */
  final ConcurrentHashMap<Resource, Long> counters = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<Resource, MemoryLine> lines = new ConcurrentHashMap<>();
  private final Reminders reminders = new Reminders();
  private final AtomicLong counter;

  /** The highest generation of each namespace, once it is above 0. */
  private final ConcurrentHashMap<String, Integer> generations = new ConcurrentHashMap<>();

  private final LongSupplier nanoTime;
  private final ReentrantLock sweeping = new ReentrantLock();
  private volatile int sweepAt = FEW_LINES;

  /**
   * Creates a store without lines.
   *
   * @param firstCounter below every counter that this store mints
   */
  MemoryStore(String name, LongSupplier nanoTime, long firstCounter) {
    this.name = name;
    this.refusals = new Refusals(name);
    this.rules = new LineRules(refusals, this, RESERVE);
    this.nanoTime = nanoTime;
    this.departures = new Departures(reminders);
    this.counter = new AtomicLong(firstCounter);
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** Enters the line of a resource; creates it if there is none. The caller must exit it. */
  MemoryLine enter(Resource resource, Shape shape) {
    tidy();
    while (true) {
      MemoryLine line = lines.get(resource);
      if (line == null) {
        line = create(resource, shape);
      }
      if (line.enter()) {
        return line;
      }
    }
  }

  /** Enters the line of a resource; returns null if there is none. The caller must exit it. */
  @Nullable MemoryLine enterIfThere(Resource resource) {
    tidy();
    return find(resource);
  }

  private @Nullable MemoryLine find(Resource resource) {
    while (true) {
      MemoryLine line = lines.get(resource);
      if (line == null || line.enter()) {
        return line;
      }
    }
  }

  private MemoryLine create(Resource resource, Shape shape) {
    MemoryLine fresh = new MemoryLine(this, resource, shape);
    MemoryLine earlier = lines.putIfAbsent(resource, fresh);
    if (earlier != null) {
      return earlier;
    }
    if (lines.size() > sweepAt) {
      sweep();
    }
    return fresh;
  }

  /** Removes an empty line from the map. The caller has entered it. */
  void forget(Resource resource, MemoryLine line) {
    lines.remove(resource, line);
  }

  /** Returns all lines, some of which may have ended: enter a line before reading it. */
  Collection<MemoryLine> lines() {
    return lines.values();
  }

  @Override
  public long mint(int generation) {
    return Token.of(generation, counter.incrementAndGet());
  }

  /** Returns the last counter that was minted. */
  long counter() {
    return counter.get();
  }

  @Override
  public int raiseGeneration(Ticket ticket) {
    int mine = ticket.generation();
    String namespace = ticket.resource().namespace();
    int known = generations.getOrDefault(namespace, 0);
    return mine > known ? generations.merge(namespace, mine, Math::max) : known;
  }

  @Override
  public @Nullable Departure findDeparture(Ticket.Id id, long now) {
    return departures.find(id, now);
  }

  /**
   * Schedules a check of the line for the end of its mark, or of what is kept in it, in case no
   * client uses the line again.
   */
  void tidyLater(Resource resource, long at) {
    reminders.add(at, () -> look(resource));
  }

  private void tidy() {
    if (!reminders.isEmpty()) {
      reminders.run(now());
    }
  }

  private void look(Resource resource) {
    MemoryLine line = find(resource);
    if (line != null) {
      line.exit();
    }
  }

  /**
   * Checks every line and removes lines whose tickets have all expired: no client may ever use such
   * a name again. It runs whenever the number of lines has doubled, so its cost is spread over the
   * joins.
   */
  private void sweep() {
    if (!sweeping.tryLock()) {
      return;
    }
    try {
      for (Resource resource : lines.keySet()) {
        look(resource);
      }
      sweepAt = Math.max(FEW_LINES, 2 * lines.size());
    } finally {
      sweeping.unlock();
    }
  }
}
