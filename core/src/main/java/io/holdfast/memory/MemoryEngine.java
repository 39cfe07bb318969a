package io.holdfast.memory;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine that keeps its lines in this process: the reference for the rules, and the store of
 * tests and of programs that run alone. All primitives, both orders, signals at once.
 *
 * <p>It has no thread and no clock of its own. What expires is dropped by whoever comes next; with
 * a clock that the caller turns, leases end exactly when the caller says so. Verbs never block for
 * I/O and may be called from any number of threads, virtual ones too.
 */
public final class MemoryEngine implements LockEngine {

  private static final int LARGE_BATCH = 1 << 16;

  private final MemoryStore store;
  private final Counter counter;
  private final EngineTraits traits;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable HoldSignal holdSignal;

  private MemoryEngine(MemoryStore store, LongSupplier epochMicros, Runnable onClose) {
    this.store = store;
    this.counter = new MemoryCounter(store, epochMicros, this::requireOpen);
    this.onClose = onClose;
    this.traits = traits(store.name);
  }

  /**
   * An engine with a store that nobody else has.
   *
   * @param nanoTime the monotonic clock that leases are counted on
   * @param epochMicros the wall clock: tokens start above it, and counters that are taken by the
   *     clock follow it
   */
  public static MemoryEngine create(LongSupplier nanoTime, LongSupplier epochMicros) {
    long counter = Token.nextCounter(-1, epochMicros.getAsLong());
    return new MemoryEngine(new MemoryStore("memory:", nanoTime, counter), epochMicros, () -> {});
  }

  /**
   * An engine on the store that everybody in this JVM gets by this name. The store with all that is
   * in it ends when the last engine on it is closed.
   *
   * @param name not empty
   * @param nanoTime the monotonic clock that leases are counted on; the first engine's counts
   * @param epochMicros the wall clock: tokens start above it, and counters that are taken by the
   *     clock follow it
   */
  public static MemoryEngine shared(String name, LongSupplier nanoTime, LongSupplier epochMicros) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a shared memory store needs a name: name=\"\"");
    }
    return new MemoryEngine(
        SharedStores.open(name, nanoTime, epochMicros),
        epochMicros,
        () -> SharedStores.close(name));
  }

  private static EngineTraits traits(String store) {
    return new EngineTraits(
        store,
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        Set.of(
            Guarantee.FENCING,
            Guarantee.FIFO,
            Guarantee.SHARED,
            Guarantee.SIGNALS,
            Guarantee.STEADY_LEASES),
        false,
        1,
        LARGE_BATCH,
        Room.RESERVE,
        Optional.empty());
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    requireOpen();
    MemoryLine line = store.enter(ticket.resource(), ticket.shape());
    try {
      return line.attempt(ticket, wake);
    } finally {
      line.exit();
    }
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    requireOpen();
    MemoryLine line = store.enterIfThere(ticket.resource());
    if (line == null) {
      return store.gone(ticket, store.now());
    }
    try {
      return line.renew(ticket);
    } finally {
      line.exit();
    }
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    requireOpen();
    if (inDoubt) {
      // Before the line is entered: an attempt that is not seen there then sees this.
      store.departures.left(ticket, store.now());
    }
    MemoryLine line = store.enterIfThere(ticket.resource());
    if (line == null) {
      return Left.NOTHING;
    }
    try {
      return line.leave(ticket);
    } finally {
      line.exit();
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A {@code keep} that is not positive is a mark that has ended already.
   */
  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    requireOpen();
    if (ticket.shape().kind() != Shape.Kind.ONCE) {
      throw store.refusals.settle(ticket);
    }
    MemoryLine line = store.enterIfThere(ticket.resource());
    if (line == null) {
      return false;
    }
    try {
      return line.settle(ticket, keep);
    } finally {
      line.exit();
    }
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    requireOpen();
    Shape shape = ticket.shape();
    if (shape.kind() != Shape.Kind.SEMAPHORE || shape.capacity() == Shape.ADOPT) {
      throw store.refusals.resize(ticket);
    }
    MemoryLine line = store.enterIfThere(ticket.resource());
    if (line == null) {
      return false;
    }
    try {
      return line.resize(ticket);
    } finally {
      line.exit();
    }
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(new MemoryInspector(store));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    holdSignal = signal;
    store.holdSignals.add(signal);
  }

  /** Ends this engine's use of the store; a shared one goes on while others have it open. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      HoldSignal signal = holdSignal;
      if (signal != null) {
        store.holdSignals.remove(signal);
      }
      onClose.run();
    }
  }

  /** A verb of a closed engine would act on a store that others may have opened anew by name. */
  private void requireOpen() throws EngineException {
    if (closed.get()) {
      throw store.refusals.closed();
    }
  }

  /** For the tests of this package: nothing must stay behind in it. */
  MemoryStore store() {
    return store;
  }
}
