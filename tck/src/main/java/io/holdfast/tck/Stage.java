package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one test of the kit plays on: a store, those who want something of it, and time. */
final class Stage implements AutoCloseable {

  private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

  private final EngineUnderTest under;
  private final StageTime time;
  private final long seed = Seed.choose();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final String namespace;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<Caller> callers = new ArrayList<>();
  private final LockEngine observer;
  private int actors;

  Stage(EngineUnderTest under) throws Exception {
    this.under = under;
    this.time = new StageTime(under.time());
    this.namespace = "tck-" + Long.toHexString(System.nanoTime()) + "-" + Long.toHexString(seed);
    this.observer = connect();
  }

  private LockEngine connect() throws Exception {
    LockEngine engine = under.connect();
    opened.push(engine);
    return engine;
  }

  EngineTraits traits() {
    return observer.traits();
  }

  StageTime time() {
    return time;
  }

  long seed() {
    return seed;
  }

  /** Repeats with {@code -Dseed=}; for the test's own thread. */
  SplittableRandom random() {
    return random;
  }

  String namespace() {
    return namespace;
  }

  Resource resource(String name) {
    return new Resource(namespace, name);
  }

  /** The lease of all tickets here: the session's, or one that the test can wait for. */
  Duration lease() {
    return traits()
        .sessionLease()
        .orElse(time.isManual() ? USUAL_LEASE : HoldfastOptions.LEASE_FLOOR);
  }

  /** A lease and what the store may add to it: exact in manual time, a second of grace else. */
  Duration leaseAtMost() {
    return lease().plus(time.isManual() ? Duration.ofMillis(1) : Duration.ofSeconds(1));
  }

  /** As long as no well-behaved engine needs for anything but waiting. */
  Duration soon() {
    return Duration.ofSeconds(2);
  }

  /** One more client that calls verbs directly. */
  Actor actor() throws Exception {
    return new Actor(this, connect(), "actor-" + ++actors);
  }

  /** One more client as programs have it. */
  Caller caller() throws Exception {
    return caller(options -> options);
  }

  Caller caller(UnaryOperator<HoldfastOptions> change) throws Exception {
    FaultyEngine engine = FaultyEngine.over(under.connect());
    return caller(engine, change);
  }

  /** One more client whose engine has lanes, so that it can hang. */
  Caller callerWithLanes() throws Exception {
    return caller(FaultyEngine.withLanes(under.connect()), options -> options);
  }

  private Caller caller(FaultyEngine engine, UnaryOperator<HoldfastOptions> change) {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withNamespace(namespace).withLease(lease());
    Holdfast holdfast = Holdfast.open(engine, change.apply(options), time.world());
    opened.push(() -> holdfast.close(Duration.ZERO));
    Caller caller = new Caller(holdfast, engine);
    callers.add(caller);
    return caller;
  }

  /** Does something on another thread. */
  <T extends @Nullable Object> Running<T> run(String name, Callable<T> body) {
    return new Running<>(time, name, body);
  }

  /** The store hears nothing of this client again. */
  void kill(Actor actor) {
    under.kill(actor.engine());
  }

  /** The store hears nothing of this client again, nor this client of the store. */
  void kill(Caller caller) {
    caller.engine().cut();
    under.kill(caller.engine().real());
  }

  Optional<EngineInspector> inspector() {
    return observer.inspector();
  }

  boolean hasCounter() {
    return observer.counter().isPresent();
  }

  /** The store's counters, as one more client sees them. */
  Counter counter() throws Exception {
    return new PatientCounter(connect().counter().orElseThrow());
  }

  /** How many tickets stand in the line, if the store can tell. */
  Optional<Integer> standing(String name) throws Exception {
    if (inspector().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        inspector().get().show(resource(name)).map(line -> line.tickets().size()).orElse(0));
  }

  /** Lets time pass until only this many tickets stand in the line, as far as the store tells. */
  void onlyRemain(String name, int tickets) {
    time.until(
        "only " + tickets + " in line for " + name,
        soon(),
        () -> standing(name).orElse(tickets) == tickets);
  }

  /** No caller may have broken the rules that engines rely on, whatever the test was about. */
  void checkCallers() {
    for (Caller caller : callers) {
      assertThat(caller.engine().breaches()).as("rules 6 and 10, kept by the runtime").isEmpty();
    }
  }

  @Override
  public void close() throws Exception {
    Exception first = null;
    // A client that cannot reach its store takes long to say goodbye.
    for (Caller caller : callers) {
      caller.engine().unhang();
      caller.engine().heal();
    }
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        first = first == null ? e : first;
      }
    }
    under.close();
    if (first != null) {
      throw first;
    }
  }
}
