package io.holdfast;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The client of one store: where locks come from. One per store and program; all methods may be
 * called from any thread.
 *
 * <pre>{@code
 * try (var holdfast = Holdfast.connect("memory:");
 *     var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
 *   orders.save(order, hold.token());
 * }
 * }</pre>
 */
public final class Holdfast implements AutoCloseable {

  private static final Duration USUAL_GRACE = Duration.ofSeconds(1);

  private final Client client;
  private final View view;

  private Holdfast(Client client, View view) {
    this.client = client;
    this.view = view;
  }

  /**
   * Connects with default options and those in the URI: {@code holdfast.*} parameters are ours,
   * such as {@code holdfast.lease=10s}; the rest is the engine's.
   *
   * <p>The store need not be up, unless {@link HoldfastOptions#failFast()}.
   *
   * @throws IllegalArgumentException when the URI is not understood
   * @throws StoreUnavailableException when failing fast
   */
  public static Holdfast connect(String uri) {
    return connect(uri, HoldfastOptions.DEFAULTS);
  }

  /** Connects with these options; what the URI says goes first. */
  public static Holdfast connect(String uri, HoldfastOptions options) {
    return connect(uri, options, World.system());
  }

  /** The same with time and threads from outside, for tests. */
  public static Holdfast connect(String uri, HoldfastOptions options, World world) {
    ConnectUri parsed = ConnectUri.parse(uri);
    HoldfastOptions all = parsed.applyTo(options);
    return open(parsed.open(all, world), all, world);
  }

  /** Opens a client over an engine that was made by hand; closing the client closes it. */
  public static Holdfast open(LockEngine engine, HoldfastOptions options) {
    return open(engine, options, World.system());
  }

  /** The same with time and threads from outside, for tests. */
  public static Holdfast open(LockEngine engine, HoldfastOptions options, World world) {
    Client client = Client.open(engine, options, world);
    return new Holdfast(client, client.view(options));
  }

  /**
   * A view of the same client with other options: {@code holdfast.with(o -> o.withOrder(FIFO))}.
   * Closing a view closes the client. What belongs to the connection ({@code lanes}, {@code
   * queueLimit}, {@code operationTimeout}, {@code failFast}) stays as it was.
   */
  public Holdfast with(UnaryOperator<HoldfastOptions> change) {
    return new Holdfast(client, client.view(change.apply(view.options())));
  }

  /** The options of this view. */
  public HoldfastOptions options() {
    return view.options();
  }

  /**
   * A mutex.
   *
   * @throws IllegalArgumentException when the name is not 1 to 512 bytes of UTF-8 without NUL
   */
  public DistributedLock lock(String name) {
    return view.lock(Name.plain(name), Shape.mutex(view.options().order()), 1);
  }

  /**
   * A mutex whose name is a template filled in, such as {@code lock("orders/{}", 42)}. The template
   * is the metric tag; the name never is.
   *
   * @throws IllegalArgumentException when the numbers of {@code {}} and of arguments differ
   */
  public DistributedLock lock(String template, Object first, Object... more) {
    return view.lock(Name.filled(template, first, more), Shape.mutex(view.options().order()), 1);
  }

  /** A read/write lock. */
  public DistributedReadWriteLock readWriteLock(String name) {
    return new ReadWriteLine(view, Name.plain(name));
  }

  /** A semaphore that has this many permits; refused if others use it with another number. */
  public DistributedSemaphore semaphore(String name, int permits) {
    if (permits < 1 || permits > Shape.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be 1.." + Shape.MAX_PERMITS + ": permits=" + permits);
    }
    return view.semaphore(Name.plain(name), permits);
  }

  /** A semaphore that takes the number which those in line use; refused when there is nobody. */
  public DistributedSemaphore semaphore(String name) {
    return view.semaphore(Name.plain(name), Shape.ADOPT);
  }

  /** Several mutexes, all or none. */
  public MultiLock multiLock(Collection<String> names) {
    return MultiLine.of(this, client.world(), names);
  }

  /** Several mutexes, all or none. */
  public MultiLock multiLock(String... names) {
    return multiLock(List.of(names));
  }

  /** One leader among many. */
  public Election election(String name) {
    return new MutexElection(client, lock(name));
  }

  /**
   * One run in a period.
   *
   * @param every at least one second
   */
  public Once once(String key, Duration every) {
    return new MarkedRun(view, Name.plain(key), every);
  }

  /** What the store promises. */
  public Set<Guarantee> guarantees() {
    return client.traits().guarantees();
  }

  /**
   * Answers this client if the store promises all of these, for the start of a program.
   *
   * @throws LockRefusedException naming what is missing
   */
  public Holdfast require(Guarantee first, Guarantee... more) {
    EnumSet<Guarantee> missing = EnumSet.of(first, more);
    missing.removeAll(guarantees());
    if (!missing.isEmpty()) {
      throw new LockRefusedException(
          client.traits().store() + " does not promise " + missing + "; use a store that does",
          null);
    }
    return this;
  }

  /** What the engine says of itself. */
  public EngineTraits traits() {
    return client.traits();
  }

  /**
   * The operator's side: who holds, who waits, taking grants away; empty if the engine has none.
   */
  public Optional<EngineInspector> inspector() {
    return client.engine().inspector();
  }

  /**
   * The store's counters, which ids are made of; empty if the engine has none. Its names are in the
   * namespace of {@link #options()} if the caller puts them there.
   */
  public Optional<Counter> counter() {
    return client.engine().counter();
  }

  /**
   * How things are. Asks the store when it has not been heard of for a while, and then blocks up to
   * the operation timeout.
   */
  public Health health() {
    return client.health();
  }

  /**
   * Ends the client: no new grants, waiting calls end with {@link HoldfastClosedException}, every
   * hold is lost with {@link Loss.Cause#CLOSED} and its callbacks get the grace to finish, then
   * each is released on its own, and the connections close last. Idempotent; a later release
   * answers {@link Outcome#ALREADY_RELEASED}.
   *
   * <p>What never reached the store is not waited for. What did is released as soon as the store
   * answers; a store that says for an operation timeout that it is away is left behind, and what it
   * has of this client ends there with its lease.
   *
   * @param grace how long callbacks may take; releasing may take an operation timeout on top, and
   *     two where the store is silent
   */
  public void close(Duration grace) {
    client.close(grace);
  }

  /** {@link #close(Duration)} with a grace of one second. */
  @Override
  public void close() {
    close(USUAL_GRACE);
  }
}
