package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.Kind;
import io.holdfast.Stats;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToDoubleFunction;

/**
 * Records the events of a client as meters.
 *
 * <pre>{@code
 * HoldfastMeters meters = HoldfastMeters.of(registry);
 * Holdfast holdfast = Holdfast.connect(uri, HoldfastOptions.DEFAULTS.withListener(meters));
 * meters.bind(holdfast);
 * }</pre>
 *
 * <p>{@code docs/metrics.md} lists the meters and their tags. The tag {@code lock} is the
 * {@linkplain HoldfastListener.Event#tag() template} of a name, never a name, and has a limited
 * number of values; all other tags have a fixed set of values. So the number of meters does not
 * depend on the number of names.
 *
 * <p>One object may listen to several clients; meters that should be told apart need {@linkplain
 * #withTags tags}. Thread-safe; does not block. Meters are created when their first event happens,
 * and must not be removed from the registry afterwards: later events would not bring them back.
 */
public final class HoldfastMeters implements HoldfastListener {

  /** The default limit of different values of the tag {@code lock}. */
  public static final int DEFAULT_MAX_TAGS = 100;

  static final String ACQUIRE = "holdfast.acquire";
  static final String HOLD = "holdfast.hold";
  static final String LOST = "holdfast.lost";
  static final String RENEWAL_FAILURES = "holdfast.renewal.failures";
  static final String LANE_REPLACEMENTS = "holdfast.lane.replacements";

  /** Results that are not the name of another enum's constant. */
  private enum Result {
    ACQUIRED,
    HANDED_OVER,
    LOST
  }

  /** What tells the meters of one name apart. */
  private record Key(String meter, String lock, Kind kind, Enum<?> result) {}

  private final MeterRegistry registry;
  private final Tags common;
  private final BoundedTags locks;
  private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();
  private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();

  private HoldfastMeters(MeterRegistry registry, Tags common, int maxTags) {
    this.registry = registry;
    this.common = common;
    this.locks = new BoundedTags(maxTags);
  }

  /** Returns a listener whose meters are in that registry. */
  public static HoldfastMeters of(MeterRegistry registry) {
    return new HoldfastMeters(registry, Tags.empty(), DEFAULT_MAX_TAGS);
  }

  /**
   * Returns a copy with another limit of different values of the tag {@code lock}. The first
   * templates keep their tag; all later ones share {@code other}.
   *
   * @param maxTags at least 1
   */
  public HoldfastMeters withMaxTags(int maxTags) {
    return new HoldfastMeters(registry, common, maxTags);
  }

  /** Returns a copy that adds these tags to all its meters, such as the name of the client. */
  public HoldfastMeters withTags(Iterable<Tag> tags) {
    return new HoldfastMeters(registry, common.and(tags), locks.most());
  }

  /**
   * Registers gauges of what the client is doing. Each reading calls {@link Holdfast#stats()},
   * which does no I/O. The registry does not keep the client from being collected.
   *
   * <p>Gauges of two clients need different {@linkplain #withTags tags}: Micrometer keeps the first
   * of two gauges with the same name and tags.
   */
  public void bind(Holdfast client) {
    Counter ignored = laneReplacements();
    gauge(client, "holdfast.held", "claims that the client holds in the store", Stats::held);
    gauge(client, "holdfast.waiting", "callers that wait for a hold", Stats::waiting);
    gauge(
        client,
        "holdfast.renewals.failing",
        "held claims whose last renewal got no reply",
        Stats::renewalsFailing);
    gauge(
        client,
        "holdfast.leaving",
        "claims that are being removed from the store in the background",
        Stats::leaving);
    gauge(
        client,
        "holdfast.draining",
        "1 when the client takes no new work, else 0",
        stats -> stats.draining() ? 1 : 0);
  }

  private void gauge(
      Holdfast client, String name, String description, ToDoubleFunction<Stats> value) {
    Gauge ignored =
        Gauge.builder(name, client, observed -> value.applyAsDouble(observed.stats()))
            .description(description)
            .tags(common)
            .register(registry);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Acquired acquired) {
      Result result = acquired.handedOver() ? Result.HANDED_OVER : Result.ACQUIRED;
      timer(ACQUIRE, event, result).record(acquired.waited());
    } else if (event instanceof NotAcquired refused) {
      timer(ACQUIRE, event, refused.why()).record(refused.waited());
    } else if (event instanceof Released released) {
      timer(HOLD, event, released.outcome()).record(released.held());
    } else if (event instanceof Lost lost) {
      timer(HOLD, event, Result.LOST).record(lost.held());
      lost(lost).increment();
    } else if (event instanceof RenewalFailed) {
      renewalFailures(event).increment();
    } else if (event instanceof LaneReplaced) {
      laneReplacements().increment();
    }
  }

  private Timer timer(String meter, Event event, Enum<?> outcome) {
    Key key = new Key(meter, locks.of(event.tag()), event.kind(), outcome);
    Timer known = timers.get(key);
    return known != null ? known : timers.computeIfAbsent(key, this::newTimer);
  }

  private Timer newTimer(Key key) {
    return Timer.builder(key.meter)
        .description(
            key.meter.equals(ACQUIRE)
                ? "time from the call of an acquire to its end"
                : "time from the grant of a hold to its end")
        .tags(tagsOf(key).and("outcome", text(key.result)))
        .register(registry);
  }

  private Counter lost(Lost event) {
    return counters.computeIfAbsent(
        new Key(LOST, locks.of(event.tag()), event.kind(), event.cause()),
        key ->
            Counter.builder(LOST)
                .description("holds that ended without a release")
                .tags(tagsOf(key).and("cause", text(key.result)))
                .register(registry));
  }

  private Counter renewalFailures(Event event) {
    return counters.computeIfAbsent(
        new Key(RENEWAL_FAILURES, locks.of(event.tag()), event.kind(), Result.LOST),
        key ->
            Counter.builder(RENEWAL_FAILURES)
                .description("renewals of holds that got no reply")
                .tags(tagsOf(key))
                .register(registry));
  }

  private Counter laneReplacements() {
    return counters.computeIfAbsent(
        new Key(LANE_REPLACEMENTS, "", Kind.CLIENT, Result.LOST),
        key ->
            Counter.builder(LANE_REPLACEMENTS)
                .description("connections that were replaced because the store did not reply")
                .tags(common)
                .register(registry));
  }

  private Tags tagsOf(Key key) {
    return common.and("lock", key.lock, "kind", text(key.kind));
  }

  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
