package io.holdfast;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.ConnectUri;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.DefaultMultiLock;
import io.holdfast.runtime.primitive.DefaultReadWriteLock;
import io.holdfast.runtime.primitive.MutexElection;
import io.holdfast.runtime.primitive.OnceRunner;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineProvider;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The client of one store: the source of locks.
 *
 * <p>A program needs one per store. All methods may be called from any thread.
 *
 * <pre>{@code
 * try (var holdfast = Holdfast.connect("memory:");
 *     var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
 *   orders.save(order, hold.token());
 * }
 * }</pre>
 */
public final class Holdfast implements AutoCloseable {

  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(1);

  private final Client client;
  private final ClientView view;
  private final String tag;

  private Holdfast(Client client, ClientView view, String tag) {
    this.client = client;
    this.view = view;
    this.tag = tag;
  }

  /**
   * Connects with default options and those in the URI. {@code holdfast.*} parameters, such as
   * {@code holdfast.lease=10s}, are options of the client; the rest is the engine's.
   *
   * <p>The store need not be up, unless {@link HoldfastOptions#failFast()}.
   *
   * @throws IllegalArgumentException when the URI is malformed or no engine handles it; if a module
   *     of Holdfast would, the message names it
   * @throws IllegalStateException when a library that the engine needs is not on the class path
   * @throws StoreUnavailableException when the store is unreachable and failFast is set
   */
  public static Holdfast connect(String uri) {
    return connect(uri, HoldfastOptions.DEFAULTS);
  }

  /** Connects with these options; parameters in the URI take precedence. */
  public static Holdfast connect(String uri, HoldfastOptions options) {
    return connect(uri, options, World.system());
  }

  /** Connects with caller-supplied time and threads, for tests. */
  public static Holdfast connect(String uri, HoldfastOptions options, World world) {
    ConnectUri parsed = ConnectUri.parse(uri);
    HoldfastOptions all = parsed.applyTo(options);
    return open(parsed.open(all, world), all, world);
  }

  /** Opens a client over a caller-supplied engine; closing the client closes the engine. */
  public static Holdfast open(LockEngine engine, HoldfastOptions options) {
    return open(engine, options, World.system());
  }

  /** Opens a client over an engine with caller-supplied time and threads, for tests. */
  public static Holdfast open(LockEngine engine, HoldfastOptions options, World world) {
    Client client = Client.open(engine, options, world);
    return new Holdfast(client, client.view(options), LockName.UNTAGGED);
  }

  /**
   * Opens a client over an engine that is created with the settings of these options: {@code
   * Holdfast.open(settings -> JdbcEngine.over(dataSource, settings), options)}. Closing the client
   * closes the engine.
   */
  public static Holdfast open(
      Function<EngineProvider.Settings, ? extends LockEngine> engine, HoldfastOptions options) {
    World world = World.system();
    return open(engine.apply(ConnectUri.settings(options, world)), options, world);
  }

  /**
   * Returns a view of the same client with other options: {@code holdfast.with(o ->
   * o.withOrder(FIFO))}. Closing a view closes the client. Options of the connection ({@code
   * lanes}, {@code queueLimit}, {@code operationTimeout}, {@code failFast}) stay as they were.
   */
  public Holdfast with(UnaryOperator<HoldfastOptions> change) {
    return new Holdfast(client, client.view(change.apply(view.options())), tag);
  }

  /**
   * Returns a view of the same client in which every name without a template has this tag in events
   * and metrics: for names that the program fills in itself, and for {@link #multiLock}. Closing a
   * view closes the client.
   *
   * @param tag one for many names, such as {@code stock/{}}; not blank
   */
  public Holdfast tagged(String tag) {
    if (tag.isBlank()) {
      throw new IllegalArgumentException("tag must not be blank: tag=\"" + tag + "\"");
    }
    return new Holdfast(client, view, tag);
  }

  private LockName plain(String name) {
    return LockName.tagged(name, tag);
  }

  /** Returns the options of this view. */
  public HoldfastOptions options() {
    return view.options();
  }

  /**
   * Returns a mutex.
   *
   * @throws IllegalArgumentException when the name is not 1 to 512 bytes of UTF-8 without NUL
   */
  public DistributedLock lock(String name) {
    return mutex(plain(name));
  }

  /**
   * Returns a mutex whose name is a filled-in template, such as {@code lock("orders/{}", 42)}. The
   * template is the metric tag; the name never is.
   *
   * @throws IllegalArgumentException when the numbers of {@code {}} and of arguments differ
   */
  public DistributedLock lock(String template, Object first, Object... more) {
    return mutex(LockName.filled(template, first, more));
  }

  private DistributedLock mutex(LockName name) {
    return view.lock(name, Shape.mutex(view.options().order()), 1);
  }

  /** Returns a read/write lock. */
  public DistributedReadWriteLock readWriteLock(String name) {
    return new DefaultReadWriteLock(view, plain(name));
  }

  /** Returns a read/write lock whose name is a template, filled in as {@link #lock} does. */
  public DistributedReadWriteLock readWriteLock(String template, Object first, Object... more) {
    return new DefaultReadWriteLock(view, LockName.filled(template, first, more));
  }

  /** Returns a semaphore with this many permits; refused if it is in use with another number. */
  public DistributedSemaphore semaphore(String name, int permits) {
    return semaphore(plain(name), permits);
  }

  /**
   * Returns a semaphore with this many permits, whose name is a template, filled in as {@link
   * #lock} does.
   */
  public DistributedSemaphore semaphore(
      String template, int permits, Object first, Object... more) {
    return semaphore(LockName.filled(template, first, more), permits);
  }

  private DistributedSemaphore semaphore(LockName name, int permits) {
    if (permits < 1 || permits > Shape.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be 1.." + Shape.MAX_PERMITS + ": permits=" + permits);
    }
    return view.semaphore(name, permits);
  }

  /**
   * Returns a semaphore with the number of permits that is in use; refused when it is not in use.
   */
  public DistributedSemaphore semaphore(String name) {
    return view.semaphore(plain(name), Shape.ADOPT);
  }

  /** Returns several mutexes, all or none. */
  public MultiLock multiLock(Collection<String> names) {
    return DefaultMultiLock.of(this, client.world(), names);
  }

  /** Returns several mutexes, all or none. */
  public MultiLock multiLock(String... names) {
    return multiLock(List.of(names));
  }

  /** Returns an election: one leader among many candidates. */
  public Election election(String name) {
    return election(plain(name));
  }

  /** Returns an election whose name is a template, filled in as {@link #lock} does. */
  public Election election(String template, Object first, Object... more) {
    return election(LockName.filled(template, first, more));
  }

  private Election election(LockName name) {
    return new MutexElection(client, mutex(name.as(Kind.ELECTION)));
  }

  /**
   * Returns one run in each period.
   *
   * @param every at least one second
   */
  public Once once(String key, Duration every) {
    return new OnceRunner(view, plain(key), every);
  }

  /**
   * Returns one run in each period, whose key is a template, filled in as {@link #lock} does.
   *
   * @param every at least one second
   */
  public Once once(String template, Duration every, Object first, Object... more) {
    return new OnceRunner(view, LockName.filled(template, first, more), every);
  }

  /**
   * Returns the guarantees of the store. Behind a lock service they are those of its store, and
   * known once a server has replied: the first call may block as long as an operation.
   *
   * @throws StoreUnavailableException when no server replied so far
   */
  public Set<Guarantee> guarantees() {
    try {
      return client.engine().guarantees();
    } catch (EngineException.Refused e) {
      throw new LockRefusedException(String.valueOf(e.getMessage()), e);
    } catch (EngineException e) {
      throw new StoreUnavailableException(
          "the guarantees of " + client.store() + " are not known: " + e.getMessage(), e);
    }
  }

  /**
   * Returns this client if the store gives all of these guarantees. Call it when a program starts.
   *
   * @throws LockRefusedException naming the missing ones
   * @throws StoreUnavailableException when they are not known, see {@link #guarantees()}
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

  /** Returns the traits of the engine. */
  public EngineTraits traits() {
    return client.traits();
  }

  /**
   * Returns the inspector for operators: it lists holders and waiters and takes grants away. Empty
   * if the engine has none.
   */
  public Optional<EngineInspector> inspector() {
    return client.engine().inspector();
  }

  /**
   * Returns the store's counters, which ids are made of; empty if the engine has none. Its names
   * are in the namespace of {@link #options()} if the caller puts them there.
   */
  public Optional<Counter> counter() {
    return client.engine().counter();
  }

  /**
   * Returns the condition of the client and its store. Asks the store when its last reply is not
   * recent, and then blocks up to the operation timeout.
   */
  public Health health() {
    return client.health();
  }

  /**
   * Returns what the client is doing at this moment. No I/O; does not block. The numbers are read
   * one after another, so they may be of slightly different moments.
   */
  public Stats stats() {
    return client.stats();
  }

  /**
   * Stops taking new work and waits until nothing is held, before a shutdown. From now on acquires
   * are refused with {@link HoldfastClosedException}, and calls that wait end with it. Holds stay,
   * and are renewed until they are released. This cannot be undone; {@link #close} follows.
   *
   * <p>Leaders of elections hold a lock until they resign or their candidacy is closed; do that
   * first. An interrupt ends the wait, and the interrupt flag stays set.
   *
   * @param atMost how long to wait; zero only looks
   * @return whether nothing is held any more
   */
  public boolean drain(Duration atMost) {
    return client.drain(atMost);
  }

  /**
   * Closes the client in order. It grants nothing any more; waiting calls end with {@link
   * HoldfastClosedException}; every hold is lost with {@link Loss.Cause#CLOSED}, and its callbacks
   * get the grace to finish; then each claim is released, and the connections close last.
   * Idempotent; a later release returns {@link Outcome#ALREADY_RELEASED}.
   *
   * <p>Claims that never reached the store are not waited for. Others are released as soon as the
   * store replies. A store that has been unreachable for an operation timeout is not waited for;
   * claims of this client end there with their leases.
   *
   * @param grace how long callbacks may take; releasing may take an operation timeout in addition,
   *     and two where the store does not reply
   */
  public void close(Duration grace) {
    client.close(grace);
  }

  /** {@link #close(Duration)} with a grace of one second. */
  @Override
  public void close() {
    close(DEFAULT_GRACE);
  }
}
