package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.tck.FaultyEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The fixture of one test: a store, clients of it, and time. */
final class KitFixture implements AutoCloseable {

  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  private final EngineUnderTest under;
  private final KitTime time;
  private final long seed = Seed.choose();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final String namespace;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final List<ApiClient> apiClients = new ArrayList<>();
  private final LockEngine observer;
  private int verbClients;

  KitFixture(EngineUnderTest under) throws Exception {
    this.under = under;
    this.time = new KitTime(under.time());
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

  Set<Guarantee> guarantees() throws EngineException {
    return observer.guarantees();
  }

  /** See {@link EngineUnderTest#silentWaiterLeases()}. */
  int silentWaiterLeases() {
    return under.silentWaiterLeases();
  }

  KitTime time() {
    return time;
  }

  long seed() {
    return seed;
  }

  /** The random numbers of {@link #seed()}; for the test's own thread. */
  SplittableRandom random() {
    return random;
  }

  String namespace() {
    return namespace;
  }

  Resource resource(String name) {
    return new Resource(namespace, name);
  }

  /** The lease of all tickets: the session's, or a lease that a test can wait for. */
  Duration lease() {
    return traits()
        .sessionLease()
        .orElse(time.isManual() ? DEFAULT_LEASE : HoldfastOptions.LEASE_FLOOR);
  }

  /** The longest time that a lease may last: exact in manual time, otherwise 1 s longer. */
  Duration leaseAtMost() {
    return lease().plus(time.isManual() ? Duration.ofMillis(1) : Duration.ofSeconds(1));
  }

  /** The bound for everything that does not wait for a lease. */
  Duration soon() {
    return Duration.ofSeconds(2);
  }

  /** Connects one more client that calls verbs directly. */
  VerbClient verbClient() throws Exception {
    return new VerbClient(this, connect(), "client-" + ++verbClients);
  }

  /** Connects one more client that uses the API. */
  ApiClient apiClient() throws Exception {
    return apiClient(options -> options);
  }

  ApiClient apiClient(UnaryOperator<HoldfastOptions> change) throws Exception {
    LockEngine real = under.connect();
    return apiClient(real, FaultyEngine.over(real), change);
  }

  /** Connects one more client whose engine has lanes, so that it can hang. */
  ApiClient apiClientWithLanes() throws Exception {
    LockEngine real = under.connect();
    return apiClient(real, FaultyEngine.withLanes(real), options -> options);
  }

  private ApiClient apiClient(
      LockEngine real, FaultyEngine engine, UnaryOperator<HoldfastOptions> change) {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withNamespace(namespace).withLease(lease());
    Holdfast holdfast = Holdfast.open(engine, change.apply(options), time.world());
    opened.push(() -> holdfast.close(Duration.ZERO));
    ApiClient client = new ApiClient(holdfast, engine, real);
    apiClients.add(client);
    return client;
  }

  /** Runs the body on another thread. */
  <T extends @Nullable Object> BackgroundTask<T> run(String name, Callable<T> body) {
    return new BackgroundTask<>(time, name, body);
  }

  /** Kills the client: the store receives nothing from it again. */
  void kill(VerbClient client) {
    under.kill(client.engine());
  }

  /** Kills the client: neither it nor the store receives anything from the other again. */
  void kill(ApiClient client) {
    client.engine().cut();
    under.kill(client.real());
  }

  Optional<EngineInspector> inspector() {
    return observer.inspector();
  }

  boolean hasCounter() {
    return observer.counter().isPresent();
  }

  /** The store's counters, seen by one more client. */
  Counter counter() throws Exception {
    return new RetryingCounter(connect().counter().orElseThrow());
  }

  /** The number of tickets in line; empty if the store has no inspector. */
  Optional<Integer> ticketCount(String name) throws Exception {
    if (inspector().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        inspector().get().show(resource(name)).map(line -> line.tickets().size()).orElse(0));
  }

  /** Lets time pass until this many tickets are in line; passes without an inspector. */
  void awaitTickets(String name, int tickets) {
    time.until(
        "only " + tickets + " tickets in line for " + name,
        soon(),
        () -> ticketCount(name).orElse(tickets) == tickets);
  }

  /** Fails if the runtime broke a rule that engines rely on, whatever the test was about. */
  void checkRuntimeRules() {
    for (ApiClient client : apiClients) {
      assertThat(client.engine().breaches()).as("rules 6 and 10, kept by the runtime").isEmpty();
    }
  }

  @Override
  public void close() throws Exception {
    Exception first = null;
    // A client that cannot reach its store takes long to close.
    for (ApiClient client : apiClients) {
      client.engine().unhang();
      client.engine().heal();
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
