package io.holdfast.memory;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state behind one or several engines: the lines by resource, the token counter, the
 * generations and the tickets that are out for good. An empty line is not in the map.
 */
final class MemoryStore {

  private static final int FEW_LINES = 1024;

  final String name;
  final Departures departures;
  final Refusals refusals;

  /** The runtimes that hold tickets here; revoke and evict report to all of them. */
  final Set<HoldSignal> holdSignals = ConcurrentHashMap.newKeySet();

  /** The next number of each counter; they stay for as long as the store does. */
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
   * A store without lines.
   *
   * @param firstCounter below every counter that this store mints
   */
  MemoryStore(String name, LongSupplier nanoTime, long firstCounter) {
    this.name = name;
    this.refusals = new Refusals(name);
    this.nanoTime = nanoTime;
    this.departures = new Departures(reminders);
    this.counter = new AtomicLong(firstCounter);
  }

  long now() {
    return nanoTime.getAsLong();
  }

  /** The line of a resource, entered; made if there is none. The caller must exit it. */
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

  /** The line of a resource, entered, or null if there is none. The caller must exit it. */
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

  /** Takes an empty line out of the map; the caller has it entered. */
  void forget(Resource resource, MemoryLine line) {
    lines.remove(resource, line);
  }

  /** All lines, entered or not, some of them perhaps over: enter before looking. */
  Collection<MemoryLine> lines() {
    return lines.values();
  }

  /** The token of a new grant. Called with the line entered, so that tokens of a line rise. */
  long mint(int ticketGeneration) {
    return Token.of(ticketGeneration, counter.incrementAndGet());
  }

  /** The last counter that was minted. */
  long counter() {
    return counter.get();
  }

  /**
   * Refuses clients of an older generation of the namespace and raises it for those of a newer one.
   * Called with the line entered: else an old client could pass here, pause, and be granted its
   * lower token after a newer client was granted a higher one.
   */
  void requireGeneration(Ticket ticket) throws EngineException.Refused {
    int mine = ticket.generation();
    String namespace = ticket.resource().namespace();
    int known = generations.getOrDefault(namespace, 0);
    if (mine > known) {
      known = generations.merge(namespace, mine, Math::max);
    }
    if (mine < known) {
      throw refusals.generation(ticket, known);
    }
  }

  /** What a ticket hears that is not in. */
  Renewal gone(Ticket ticket, long now) {
    Departures.Departure departure = departures.find(ticket.id(), now);
    return departure == null || departure.evicted() == null
        ? new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")
        : new Renewal.Gone(Renewal.Cause.REVOKED, departure.evicted());
  }

  /** Has the line looked at when its mark has ended, whether or not anybody asks for it again. */
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
   * Looks at every line, so that those whose tickets all died vanish. Nobody asks for such names
   * any more, so it is done whenever the lines have doubled: the cost is shared by those that came.
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
