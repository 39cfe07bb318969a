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
import io.holdfast.spi.support.Admission;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine that keeps its lines in this process.
 *
 * <p>It is the reference for the rules, and the store of tests and of programs that run alone. It
 * has all primitives and both orders, and signals at once.
 *
 * <p>It has no thread and no clock of its own. The next verb on a line drops what has expired
 * there; with a manual clock, leases end exactly when the test says so. Verbs never block for I/O
 * and may be called from any number of threads, including virtual ones.
 */
public final class MemoryEngine implements LockEngine {

  private static final int LARGE_BATCH = 1 << 16;

  private final MemoryStore store;
  private final Counter counter;
  private final EngineTraits traits;
  private final Admission admission;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable HoldSignal holdSignal;

  private MemoryEngine(MemoryStore store, LongSupplier epochMicros, Runnable onClose) {
    this.store = store;
    this.counter = new MemoryCounter(store, epochMicros, this::requireOpen);
    this.onClose = onClose;
    this.traits = traits(store.name);
    this.admission = Admission.of(traits);
  }

  /**
   * Creates an engine with a private store.
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
   * Creates an engine on a store that all engines of this JVM with the same name share. The store
   * and its contents are discarded when its last engine is closed.
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
        MemoryStore.RESERVE,
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
      return store.rules.gone(ticket, store.now());
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
      // Before the line is entered: an attempt that joins later finds this record.
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
    admission.requireSettle(ticket);
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
    admission.requireResize(ticket);
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

  /** Closes this engine. A shared store stays while other engines have it open. */
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

  /** A closed engine must not act on a store that another engine has since opened by name. */
  private void requireOpen() throws EngineException {
    if (closed.get()) {
      throw store.refusals.closed();
    }
  }

  /** For tests of this package, which check that nothing is left in it. */
  MemoryStore store() {
    return store;
  }
}
