package io.holdfast;

import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.Bounds;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The options of a client, or of a {@linkplain Holdfast#with view} of it. Immutable.
 *
 * <p>Each {@code with…} method returns a changed copy and rejects values that are out of bounds.
 * {@code docs/options.md} lists meaning, unit, bounds and default, and when to change an option.
 *
 * @param namespace keeps the names of applications apart
 * @param order the order of mutexes
 * @param lease how long the store keeps a hold without a renewal
 * @param fixedLease whether the lease is not renewed
 * @param drift how much the clock rates of holder and store may differ, as a fraction
 * @param margin how long before the end of the lease the holder stops believing, in addition to the
 *     drift
 * @param lockDelay how much longer than the holder believes the store keeps an expired lease
 * @param maxHold the time after which a hold is not renewed any more, if any
 * @param generation raised by an operator when tokens could have gone back
 * @param app the application's name in owner labels
 * @param text free text in owner labels
 * @param operationTimeout how long one verb may take
 * @param lanes the number of lanes, or 0 for the engine's default
 * @param queueLimit how many attempts may wait for a lane
 * @param failFast whether connecting fails when the store does not reply
 * @param traceAcquires whether a hold records the place of its acquire for leak reports
 * @param listener receives the events of the client
 * @param tracer receives the beginning and the end of each acquire
 */
public record HoldfastOptions(
    String namespace,
    Order order,
    Duration lease,
    boolean fixedLease,
    double drift,
    Duration margin,
    Duration lockDelay,
    Optional<Duration> maxHold,
    int generation,
    String app,
    String text,
    Duration operationTimeout,
    int lanes,
    int queueLimit,
    boolean failFast,
    boolean traceAcquires,
    HoldfastListener listener,
    AcquireTracer tracer) {

  /** The shortest lease. */
  public static final Duration LEASE_FLOOR = Duration.ofSeconds(2);

  /** The longest lease. */
  public static final Duration LEASE_CEILING = Duration.ofDays(1);

  private static final double DRIFT_FLOOR = 0.02;
  private static final double DRIFT_CEILING = 0.25;
  private static final Duration MARGIN_FLOOR = Duration.ofMillis(60);
  private static final Duration LOCK_DELAY_CEILING = Duration.ofSeconds(60);
  private static final Duration TIMEOUT_FLOOR = Duration.ofMillis(50);
  private static final Duration TIMEOUT_CEILING = Duration.ofMinutes(1);

  /** Returns the default options. */
  public static final HoldfastOptions DEFAULTS =
      new HoldfastOptions(
          "default",
          Order.ANY,
          Duration.ofSeconds(30),
          false,
          0.05,
          Duration.ofMillis(100),
          Duration.ZERO,
          Optional.empty(),
          0,
          "",
          "",
          Duration.ofSeconds(2),
          0,
          10_000,
          false,
          true,
          HoldfastListener.NONE,
          AcquireTracer.NONE);

  public HoldfastOptions {
    Resource.requireNamespace(namespace);
    Objects.requireNonNull(order, "order");
    Bounds.require("lease", lease, LEASE_FLOOR, LEASE_CEILING);
    Bounds.requireFraction("drift", drift, DRIFT_FLOOR, DRIFT_CEILING);
    Bounds.require("margin", margin, MARGIN_FLOOR, lease.dividedBy(4));
    Bounds.require("lockDelay", lockDelay, Duration.ZERO, LOCK_DELAY_CEILING);
    maxHold.ifPresent(
        d -> Bounds.require("maxHold", d, Duration.ofMillis(1), Duration.ofDays(3650)));
    Bounds.require("generation", generation, 0, Token.MAX_GENERATION);
    Objects.requireNonNull(app, "app");
    Objects.requireNonNull(text, "text");
    Bounds.require("operationTimeout", operationTimeout, TIMEOUT_FLOOR, TIMEOUT_CEILING);
    Bounds.require("lanes", lanes, 0, 64);
    Bounds.require("queueLimit", queueLimit, 1, 10_000_000);
    Objects.requireNonNull(listener, "listener");
    Objects.requireNonNull(tracer, "tracer");
  }

  /** Returns a copy with another namespace: {@code [a-z0-9][a-z0-9._-]{0,62}}. */
  public HoldfastOptions withNamespace(String value) {
    return change(draft -> draft.namespace = value);
  }

  /** Returns a copy with another order of mutexes; all other primitives are always FIFO. */
  public HoldfastOptions withOrder(Order value) {
    return change(draft -> draft.order = value);
  }

  /** Returns a copy with another lease, which is renewed while held: 2 seconds to 1 day. */
  public HoldfastOptions withLease(Duration value) {
    return change(
        draft -> {
          draft.lease = value;
          draft.fixedLease = false;
        });
  }

  /**
   * Returns a copy with a lease that is <b>not renewed</b>: the hold ends by itself unless
   * extended.
   */
  public HoldfastOptions withFixedLease(Duration value) {
    return change(
        draft -> {
          draft.lease = value;
          draft.fixedLease = true;
        });
  }

  /** Returns a copy with another allowed difference of clock rates: 0.02 to 0.25. */
  public HoldfastOptions withDrift(double value) {
    return change(draft -> draft.drift = value);
  }

  /**
   * Returns a copy with another margin: the holder stops believing this long before the end. 60 ms
   * to a quarter of the lease.
   */
  public HoldfastOptions withMargin(Duration value) {
    return change(draft -> draft.margin = value);
  }

  /**
   * Returns a copy with another lock delay, for which the store keeps an expired lease: up to 60
   * seconds.
   */
  public HoldfastOptions withLockDelay(Duration value) {
    return change(draft -> draft.lockDelay = value);
  }

  /** Returns a copy that stops renewing a hold after this time. */
  public HoldfastOptions withMaxHold(Duration value) {
    return change(draft -> draft.maxHold = Optional.of(value));
  }

  /**
   * Returns a copy with another generation, which an operator raises when tokens could have gone
   * back: 0 to 127.
   */
  public HoldfastOptions withGeneration(int value) {
    return change(draft -> draft.generation = value);
  }

  /** Returns a copy with another application's name in owner labels. */
  public HoldfastOptions withApp(String value) {
    return change(draft -> draft.app = value);
  }

  /** Returns a copy with another free text in owner labels. */
  public HoldfastOptions withText(String value) {
    return change(draft -> draft.text = value);
  }

  /**
   * Returns a copy with another time limit of a verb, after which it counts as unknown: 50 ms to 1
   * minute.
   */
  public HoldfastOptions withOperationTimeout(Duration value) {
    return change(draft -> draft.operationTimeout = value);
  }

  /** Returns a copy with another number of lanes, up to 64, or 0 for the engine's default. */
  public HoldfastOptions withLanes(int value) {
    return change(draft -> draft.lanes = value);
  }

  /** Returns a copy with another limit of attempts that wait for a lane; more are refused. */
  public HoldfastOptions withQueueLimit(int value) {
    return change(draft -> draft.queueLimit = value);
  }

  /** Returns a copy whose clients fail to connect when the store does not reply, or not. */
  public HoldfastOptions withFailFast(boolean value) {
    return change(draft -> draft.failFast = value);
  }

  /** Returns a copy whose holds record the place of their acquire, or not. */
  public HoldfastOptions withTraceAcquires(boolean value) {
    return change(draft -> draft.traceAcquires = value);
  }

  /** Returns a copy with another listener for the events of the client. */
  public HoldfastOptions withListener(HoldfastListener value) {
    return change(draft -> draft.listener = value);
  }

  /** Returns a copy with a tracer, which receives the beginning and the end of each acquire. */
  public HoldfastOptions withTracer(AcquireTracer value) {
    return change(draft -> draft.tracer = value);
  }

  /** Returns a copy for clocks of low accuracy: with a drift of 10 %. */
  public HoldfastOptions strict() {
    return withDrift(0.10);
  }

  private HoldfastOptions change(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of the options, while one of them changes. */
  private static final class Draft {
    private String namespace;
    private Order order;
    private Duration lease;
    private boolean fixedLease;
    private double drift;
    private Duration margin;
    private Duration lockDelay;
    private Optional<Duration> maxHold;
    private int generation;
    private String app;
    private String text;
    private Duration operationTimeout;
    private int lanes;
    private int queueLimit;
    private boolean failFast;
    private boolean traceAcquires;
    private HoldfastListener listener;
    private AcquireTracer tracer;

    Draft(HoldfastOptions from) {
      namespace = from.namespace;
      order = from.order;
      lease = from.lease;
      fixedLease = from.fixedLease;
      drift = from.drift;
      margin = from.margin;
      lockDelay = from.lockDelay;
      maxHold = from.maxHold;
      generation = from.generation;
      app = from.app;
      text = from.text;
      operationTimeout = from.operationTimeout;
      lanes = from.lanes;
      queueLimit = from.queueLimit;
      failFast = from.failFast;
      traceAcquires = from.traceAcquires;
      listener = from.listener;
      tracer = from.tracer;
    }

    HoldfastOptions options() {
      return new HoldfastOptions(
          namespace,
          order,
          lease,
          fixedLease,
          drift,
          margin,
          lockDelay,
          maxHold,
          generation,
          app,
          text,
          operationTimeout,
          lanes,
          queueLimit,
          failFast,
          traceAcquires,
          listener,
          tracer);
    }
  }
}
