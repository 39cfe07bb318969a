package io.holdfast;

import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How a client, or a {@linkplain Holdfast#with view} of it, behaves. Immutable; each {@code with…}
 * answers a changed copy and says no to what is out of bounds. Meaning, unit, floor, default and
 * when to change: {@code docs/options.md}.
 *
 * @param namespace keeps the names of applications apart
 * @param order of mutexes
 * @param lease how long the store keeps a hold without a renewal
 * @param fixedLease whether the lease is not renewed
 * @param drift how much the clocks of holder and store may differ in rate, as a fraction
 * @param margin how long before the end of the lease the holder stops believing, beside the drift
 * @param lockDelay how much longer than the holder believes the store keeps a lease that ran out
 * @param maxHold after which a hold is not renewed any more, if ever
 * @param generation raised by an operator when tokens could have gone back
 * @param app the application's name in owner labels
 * @param text free text in owner labels
 * @param operationTimeout how long one verb may take
 * @param lanes how many lanes, or 0 for what the engine likes best
 * @param queueLimit how many attempts may wait for a lane
 * @param failFast whether connecting fails when the store does not answer
 * @param traceAcquires whether a hold remembers the place of its acquire for the report of a leak
 * @param listener hears what happens
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
    HoldfastListener listener) {

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

  /** What is used when nothing is said. */
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
          HoldfastListener.NONE);

  public HoldfastOptions {
    Resource.requireNamespace(namespace);
    Objects.requireNonNull(order, "order");
    within("lease", lease, LEASE_FLOOR, LEASE_CEILING);
    if (!(drift >= DRIFT_FLOOR && drift <= DRIFT_CEILING)) {
      throw new IllegalArgumentException(
          "drift must be " + DRIFT_FLOOR + ".." + DRIFT_CEILING + ": drift=" + drift);
    }
    within("margin", margin, MARGIN_FLOOR, lease.dividedBy(4));
    within("lockDelay", lockDelay, Duration.ZERO, LOCK_DELAY_CEILING);
    maxHold.ifPresent(d -> within("maxHold", d, Duration.ofMillis(1), Duration.ofDays(3650)));
    within(generation, "generation", 0, Token.MAX_GENERATION);
    Objects.requireNonNull(app, "app");
    Objects.requireNonNull(text, "text");
    within("operationTimeout", operationTimeout, TIMEOUT_FLOOR, TIMEOUT_CEILING);
    within(lanes, "lanes", 0, 64);
    within(queueLimit, "queueLimit", 1, 10_000_000);
    Objects.requireNonNull(listener, "listener");
  }

  private static void within(String what, Duration value, Duration floor, Duration ceiling) {
    if (value.compareTo(floor) < 0 || value.compareTo(ceiling) > 0) {
      throw new IllegalArgumentException(
          what + " must be " + floor + ".." + ceiling + ": " + what + "=" + value);
    }
  }

  private static void within(int value, String what, int floor, int ceiling) {
    if (value < floor || value > ceiling) {
      throw new IllegalArgumentException(
          what + " must be " + floor + ".." + ceiling + ": " + what + "=" + value);
    }
  }

  /** Keeps the names of applications apart: {@code [a-z0-9][a-z0-9._-]{0,62}}. */
  public HoldfastOptions withNamespace(String value) {
    return change(draft -> draft.namespace = value);
  }

  /** The order of mutexes; everything else is always FIFO. */
  public HoldfastOptions withOrder(Order value) {
    return change(draft -> draft.order = value);
  }

  /** The lease, renewed while held: 2 seconds to 1 day. */
  public HoldfastOptions withLease(Duration value) {
    return change(
        draft -> {
          draft.lease = value;
          draft.fixedLease = false;
        });
  }

  /** A lease that is <b>not renewed</b>: the hold ends by itself unless it is extended. */
  public HoldfastOptions withFixedLease(Duration value) {
    return change(
        draft -> {
          draft.lease = value;
          draft.fixedLease = true;
        });
  }

  /** How much clock rates may differ: 0.02 to 0.25. */
  public HoldfastOptions withDrift(double value) {
    return change(draft -> draft.drift = value);
  }

  /** How long before the end the holder stops believing: 60 ms to a quarter of the lease. */
  public HoldfastOptions withMargin(Duration value) {
    return change(draft -> draft.margin = value);
  }

  /** How much longer the store keeps a lease that ran out: up to 60 seconds. */
  public HoldfastOptions withLockDelay(Duration value) {
    return change(draft -> draft.lockDelay = value);
  }

  /** Stops renewing after this time. */
  public HoldfastOptions withMaxHold(Duration value) {
    return change(draft -> draft.maxHold = Optional.of(value));
  }

  /** Raised by an operator when tokens could have gone back: 0 to 127. */
  public HoldfastOptions withGeneration(int value) {
    return change(draft -> draft.generation = value);
  }

  /** The application's name in owner labels. */
  public HoldfastOptions withApp(String value) {
    return change(draft -> draft.app = value);
  }

  /** Free text in owner labels. */
  public HoldfastOptions withText(String value) {
    return change(draft -> draft.text = value);
  }

  /** How long one verb may take before it counts as unknown: 50 ms to 1 minute. */
  public HoldfastOptions withOperationTimeout(Duration value) {
    return change(draft -> draft.operationTimeout = value);
  }

  /** How many lanes, up to 64, or 0 for what the engine likes best. */
  public HoldfastOptions withLanes(int value) {
    return change(draft -> draft.lanes = value);
  }

  /** How many attempts may wait for a lane before more are refused. */
  public HoldfastOptions withQueueLimit(int value) {
    return change(draft -> draft.queueLimit = value);
  }

  /** Whether connecting fails when the store does not answer. */
  public HoldfastOptions withFailFast(boolean value) {
    return change(draft -> draft.failFast = value);
  }

  /** Whether holds remember the place of their acquire. */
  public HoldfastOptions withTraceAcquires(boolean value) {
    return change(draft -> draft.traceAcquires = value);
  }

  /** Who hears what happens. */
  public HoldfastOptions withListener(HoldfastListener value) {
    return change(draft -> draft.listener = value);
  }

  /** For clocks that cannot be trusted much: a drift of 10 %. */
  public HoldfastOptions strict() {
    return withDrift(0.10);
  }

  private HoldfastOptions change(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** The options while one of them changes. */
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
          listener);
    }
  }
}
