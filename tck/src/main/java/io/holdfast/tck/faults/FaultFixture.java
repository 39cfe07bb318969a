package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FenceGuard;
import io.holdfast.Outcome;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.World;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** One play of a scenario: the store, its clients, and the measuring of time. */
final class FaultFixture implements AutoCloseable {

  /** Longer than anything here waits. */
  static final Duration LONG = Duration.ofSeconds(60);

  /** Within which a call that needs no waiting ends. */
  static final Duration SOON = Duration.ofSeconds(1);

  private static final int TOLERANCE = 5;
  private static final long LOOK_NANOS = 2_000_000;

  /** A look into the store takes a trip, and some engines connect for it. */
  private static final long STORE_LOOK_NANOS = 50_000_000;

  /** In manual time, which also stops at each event. */
  private static final long MANUAL_LOOK_NANOS = 25_000_000;

  private static final AtomicLong FIXTURES = new AtomicLong();

  private final FaultScenario scenario;
  private final FaultStore store;
  private final int tolerance;
  private final Optional<ManualTime> manual;
  private final World world;
  private final Thread driver = Thread.currentThread();
  private final String namespace;
  private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
  private final LocalFaultClient observer;
  private int clients;

  private FaultFixture(FaultScenario scenario, FaultStore store, int tolerance) throws Exception {
    this.scenario = scenario;
    this.store = store;
    this.tolerance = tolerance;
    this.manual = store.time();
    this.manual.ifPresent(ManualTime::drive);
    this.world = manual.isPresent() ? manual.get() : World.system();
    this.namespace =
        scenario.name().substring(0, 3).toLowerCase(java.util.Locale.ROOT)
            + "-"
            + Long.toHexString(System.nanoTime())
            + "-"
            + FIXTURES.incrementAndGet();
    this.observer = open();
  }

  /** Plays a scenario on a store. */
  static void play(FaultScenario scenario, FaultStore store) throws Exception {
    play(scenario, store, TOLERANCE);
  }

  /**
   * Plays a scenario on a store.
   *
   * @param tolerance how many times a bound may be missed before the scenario fails
   */
  static void play(FaultScenario scenario, FaultStore store, int tolerance) throws Exception {
    try (FaultFixture fixture = new FaultFixture(scenario, store, tolerance)) {
      scenario.play(fixture);
    }
  }

  /** What the store lacks for each scenario that it cannot have. */
  static Map<FaultScenario, String> impossible(FaultStore store) throws Exception {
    Map<FaultScenario, String> missing = new EnumMap<>(FaultScenario.class);
    FaultScenario any = FaultScenario.F01_KILLED_HOLDER;
    try (FaultFixture fixture = new FaultFixture(any, store, TOLERANCE)) {
      for (FaultScenario scenario : FaultScenario.values()) {
        scenario.missingIn(fixture).ifPresent(what -> missing.put(scenario, what));
      }
    }
    return missing;
  }

  static void print(String line) {
    System.out.println("[faults] " + line);
  }

  /** Prints a line that belongs to this play. */
  void figure(String line) {
    print(store.name() + ", " + scenario + ": " + line);
  }

  FaultStore store() {
    return store;
  }

  String namespace() {
    return namespace;
  }

  Duration lease() {
    return store.lease();
  }

  /** The lease and what a store may take to notice its end. */
  Duration leaseAtMost() {
    return lease().plusSeconds(1);
  }

  Set<Guarantee> guarantees() {
    return observer.holdfast().guarantees();
  }

  EngineTraits traits() {
    return observer.holdfast().traits();
  }

  /** The orders that the engine claims. */
  List<Order> orders() {
    return Stream.of(Order.values()).filter(o -> traits().serves(Shape.mutex(o))).toList();
  }

  /** Whether the engine can list its lines. */
  boolean hasInspector() {
    return observer.holdfast().inspector().isPresent();
  }

  /** The time of all clients, in nanoseconds. */
  long now() {
    return world.nanoTime();
  }

  /** Threads that the scenario uses beside its own. */
  Executor callbacks() {
    return world.callbacks();
  }

  /** A part of a scenario. */
  @FunctionalInterface
  interface Part {
    void play() throws Exception;
  }

  /** Plays all parts at the same time, each on its own thread; throws what one of them threw. */
  void together(List<Part> parts) throws Exception {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (Part part : parts) {
      CompletableFuture<Void> played = new CompletableFuture<>();
      all.add(played);
      Thread unused = world.start("fault-part", () -> play(part, played));
    }
    until("all parts end", LONG, () -> all.stream().allMatch(CompletableFuture::isDone));
    for (CompletableFuture<Void> each : all) {
      try {
        each.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw e;
      }
    }
  }

  private static void play(Part part, CompletableFuture<Void> played) {
    try {
      part.play();
      played.complete(null);
    } catch (Exception | AssertionError e) {
      played.completeExceptionally(e);
    }
  }

  /** The order that most scenarios use. */
  Order anyOrder() {
    return orders().get(0);
  }

  /** A client that nothing happens to. */
  LocalFaultClient open() throws Exception {
    return open(lease());
  }

  /** A client with its own lease that nothing happens to. */
  LocalFaultClient open(Duration lease) throws Exception {
    LocalFaultClient client =
        LocalFaultClient.open(spec("client", lease, Set.of()), world, store::connect, NO_LINK);
    opened.push(client);
    return client;
  }

  /** A client that something will happen to. */
  FaultClient start(String name, Ability first, Ability... more) throws Exception {
    FaultClient client = store.start(spec(name, lease(), EnumSet.of(first, more)));
    opened.push(client);
    return client;
  }

  private synchronized ClientSpec spec(String name, Duration lease, Set<Ability> abilities) {
    return new ClientSpec(name + "-" + ++clients, namespace, lease, abilities);
  }

  private static final FaultLink NO_LINK =
      new FaultLink() {
        @Override
        public void cut(Cut how) {
          throw new UnsupportedOperationException("this client has no link of its own");
        }

        @Override
        public void heal() {}
      };

  /** The store's guard, for the names of this scenario. */
  FenceGuard guard() throws Exception {
    FenceGuard guard = store.guard();
    if (guard instanceof AutoCloseable closeable) {
      opened.push(closeable);
    }
    return guard.inNamespace(namespace);
  }

  /** How many tickets are in a line, if the store lists them. */
  Optional<Integer> standing(String name) throws Exception {
    Optional<EngineInspector> inspector = observer.holdfast().inspector();
    return inspector.isEmpty()
        ? Optional.empty()
        : Optional.of(
            inspector
                .get()
                .show(new Resource(namespace, name))
                .map(line -> line.tickets().size())
                .orElse(0));
  }

  /** Waits until so many tickets are in a line; for a second if the store does not list them. */
  void awaitStanding(String name, int tickets) throws Exception {
    if (standing(name).isEmpty()) {
      pass(SOON);
      return;
    }
    untilStored(
        tickets + " tickets for " + name, leaseAtMost(), () -> standing(name).orElse(0) == tickets);
  }

  /** Waits until no ticket for any of these names is left, if the store lists them. */
  void awaitNobody(String what, Collection<String> names) {
    if (hasInspector()) {
      untilStored(what, leaseAtMost(), () -> isNobodyIn(names));
    }
  }

  private boolean isNobodyIn(Collection<String> names) throws Exception {
    for (String name : names) {
      if (standing(name).orElse(0) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Waits until so many tickets of a client are waiting. */
  void awaitWaiting(LocalFaultClient client, String name, int tickets) {
    until(tickets + " waiters for " + name, LONG, () -> client.waiting(name) >= tickets);
  }

  /** Waits for a grant that needs no waiting. */
  FaultClaim.Grant granted(FaultClaim claim) throws Exception {
    return granted("a grant", claim, LONG);
  }

  /** Waits for a grant; too late at several times the bound. */
  FaultClaim.Grant granted(String what, FaultClaim claim, Duration bound) throws Exception {
    return result(what, claim.granted(), now(), bound);
  }

  /** Acquires what is free. */
  FaultClaim take(FaultClient client, String name, Order order) throws Exception {
    FaultClaim claim = client.acquire(name, order, LONG);
    granted(claim);
    return claim;
  }

  /** Waits for a grant, and prints and checks how long after an event it came. */
  FaultClaim.Grant grantedWithin(String what, FaultClaim claim, long since, Duration bound)
      throws Exception {
    FaultClaim.Grant grant = result(what, claim.granted(), since, bound);
    within(what, grant.nanos() - since, bound);
    return grant;
  }

  private <T> T result(String what, CompletableFuture<T> future, long since, Duration bound)
      throws Exception {
    long end = since + bound.multipliedBy(tolerance).toNanos();
    until(what, bound, end, LOOK_NANOS, future::isDone);
    try {
      return future.join();
    } catch (CompletionException e) {
      throw new AssertionError(what + " failed", e.getCause());
    }
  }

  /** Waits for the end of an acquire that must not be granted because the store is unreachable. */
  void failsWithin(String what, FaultClaim claim, long since, Duration bound) throws Exception {
    Throwable failure = result(what, failure(claim), since, bound);
    within(what, now() - since, bound);
    assertThat(failure)
        .as(what)
        .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
  }

  private static CompletableFuture<Throwable> failure(FaultClaim claim) {
    return claim
        .granted()
        .handle(
            (grant, failure) -> {
              if (failure instanceof CompletionException wrapped && wrapped.getCause() != null) {
                return wrapped.getCause();
              }
              return failure != null
                  ? failure
                  : new CancellationException("granted while the store was unreachable: " + grant);
            });
  }

  /** Waits until the holder has been notified of its loss; returns when that was. */
  long lostWithin(String what, FaultClaim claim, long since, Duration bound) {
    until(what, bound, () -> !claim.losses().isEmpty());
    long lost = claim.losses().get(0);
    within(what, lost - since, bound);
    return lost;
  }

  /** Prints how long something took, and fails if it took far too long. */
  void within(String what, long nanos, Duration bound) {
    figure(what + " after " + nanos / 1_000_000 + " ms (bound " + bound.toMillis() + " ms)");
    if (nanos > bound.multipliedBy(tolerance).toNanos()) {
      throw new TooLateError(
          what + ": " + nanos / 1_000_000 + " ms, bound " + bound.toMillis() + " ms");
    }
  }

  /** Waits until the condition holds; too late at several times the bound. */
  void until(String what, Duration bound, Callable<Boolean> condition) {
    until(what, bound, now() + bound.multipliedBy(tolerance).toNanos(), LOOK_NANOS, condition);
  }

  /** As {@link #until}, for a condition that asks the store. */
  void untilStored(String what, Duration bound, Callable<Boolean> condition) {
    long end = now() + bound.multipliedBy(tolerance).toNanos();
    until(what, bound, end, STORE_LOOK_NANOS, condition);
  }

  private void until(
      String what, Duration bound, long end, long lookNanos, Callable<Boolean> condition) {
    while (!holds(condition)) {
      if (now() - end > 0) {
        throw new TooLateError(
            what + ": not within " + tolerance + " x " + bound.toMillis() + " ms");
      }
      look(lookNanos, condition);
    }
  }

  /** Lets a little time pass; in manual time none at all if the condition holds without. */
  private void look(long lookNanos, Callable<Boolean> condition) {
    if (manual.isEmpty()) {
      world.park(this, lookNanos);
      return;
    }
    if (Thread.currentThread() == driver) {
      manual.get().settle();
      if (holds(condition)) {
        return;
      }
    }
    world.park(this, MANUAL_LOOK_NANOS);
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Lets time pass. */
  void pass(Duration duration) {
    long end = now() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - now()) {
      world.park(this, left);
    }
  }

  /** Fails unless the hold is held; a hold that expired was renewed too late, all else is wrong. */
  void requireHeld(String what, FaultClaim claim) {
    boolean held = claim.isHeld();
    if (!held && claim.hasExpired()) {
      throw new TooLateError(what + " has expired");
    }
    assertThat(held).as(what + " is held").isTrue();
  }

  /** Releases and requires that it was held until then, as far as the store replies in time. */
  void release(String what, FaultClaim claim) {
    Outcome outcome = claim.release();
    if (outcome == Outcome.UNKNOWN) {
      // The runtime goes on leaving; what depends on it is measured by itself.
      figure("release of " + what + " had no reply in time");
      return;
    }
    if (outcome == Outcome.LOST && claim.hasExpired()) {
      throw new TooLateError(what + " has expired");
    }
    assertThat(outcome).as("release of " + what).isEqualTo(Outcome.RELEASED);
  }

  /**
   * Releases a hold that a rival has taken over, and requires that the release says so. The loss
   * need not have been reported before, so the store is asked, as far as it replies in time.
   */
  void releaseLost(String what, FaultClaim claim) {
    Outcome outcome = claim.release();
    if (outcome == Outcome.UNKNOWN) {
      // It was not believed in before, and is over now.
      figure("release of " + what + " had no reply in time");
      return;
    }
    assertThat(outcome).as("release of " + what).isEqualTo(Outcome.LOST);
  }

  @Override
  public void close() throws Exception {
    if (manual.isPresent()) {
      // Time goes on only where the driver waits.
      opened.forEach(FaultFixture::closeQuietly);
      return;
    }
    // Clients of a store that hangs take long to close: all at once.
    List<Thread> closing =
        opened.stream().map(each -> new Thread(() -> closeQuietly(each), "faults-close")).toList();
    closing.forEach(Thread::start);
    for (Thread each : closing) {
      each.join();
    }
  }

  private static void closeQuietly(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      print("closing failed: " + e);
    }
  }
}
