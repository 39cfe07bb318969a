package io.holdfast.micrometer;

import io.holdfast.AcquireTracer;
import io.holdfast.HoldfastListener.Why;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.EnumSet;
import java.util.Set;

/**
 * Makes an observation of each acquire, from its call to its end; with a tracing library, a span.
 *
 * <pre>{@code
 * AcquireTracer tracer = HoldfastObservations.of(observationRegistry);
 * Holdfast holdfast = Holdfast.connect(uri, HoldfastOptions.DEFAULTS.withTracer(tracer));
 * }</pre>
 *
 * <p>The observation is named {@value #NAME}. It starts on the thread that called the acquire, so
 * its parent is the observation or span that is current there; it may stop on another thread. Its
 * low-cardinality keys are {@code lock} (the template, with a limited number of values), {@code
 * kind} and {@code outcome}; the raw name and the token are high-cardinality keys. {@code
 * docs/metrics.md} lists them. An acquire that ended with {@link Why#UNAVAILABLE}, {@link
 * Why#UNKNOWN}, {@link Why#REFUSED} or {@link Why#OVERLOADED} is marked as an error; a busy lock is
 * none.
 *
 * <p>A registry may have a handler that makes meters of observations. Those are called {@value
 * #NAME} and do not clash with {@link HoldfastMeters}, which counts the same acquires.
 */
public final class HoldfastObservations implements AcquireTracer {

  /** The name of the observations. */
  public static final String NAME = "holdfast.lock.acquire";

  private static final Set<Why> ERRORS =
      EnumSet.of(Why.UNAVAILABLE, Why.UNKNOWN, Why.REFUSED, Why.OVERLOADED);

  private final ObservationRegistry registry;
  private final BoundedTags locks;

  private HoldfastObservations(ObservationRegistry registry, int maxTags) {
    this.registry = registry;
    this.locks = new BoundedTags(maxTags);
  }

  /** Returns a tracer whose observations are in that registry. */
  public static HoldfastObservations of(ObservationRegistry registry) {
    return new HoldfastObservations(registry, HoldfastMeters.DEFAULT_MAX_TAGS);
  }

  /**
   * Returns a copy with another limit of different values of the key {@code lock}, which is also
   * part of the span's name. The first templates are kept; all later ones share {@code other}.
   *
   * @param maxTags at least 1
   */
  public HoldfastObservations withMaxTags(int maxTags) {
    return new HoldfastObservations(registry, maxTags);
  }

  @Override
  public Span begin(Acquire acquire) {
    Observation observation = Observation.createNotStarted(NAME, registry);
    if (observation.isNoop()) {
      return Span.NONE;
    }
    String lock = locks.of(acquire.tag());
    observation
        .contextualName("acquire " + lock)
        .lowCardinalityKeyValue("lock", lock)
        .lowCardinalityKeyValue("kind", HoldfastMeters.text(acquire.kind()))
        .highCardinalityKeyValue("lock.name", acquire.name())
        .highCardinalityKeyValue("namespace", acquire.namespace())
        .highCardinalityKeyValue("store", acquire.store())
        .start();
    return new ObservedAcquire(observation);
  }

  private record ObservedAcquire(Observation observation) implements Span {

    @Override
    public void acquired(long token, boolean handedOver) {
      observation
          .highCardinalityKeyValue("token", Long.toString(token))
          .lowCardinalityKeyValue("outcome", handedOver ? "handed_over" : "acquired")
          .stop();
    }

    @Override
    public void notAcquired(Why why) {
      observation.lowCardinalityKeyValue("outcome", HoldfastMeters.text(why));
      if (ERRORS.contains(why)) {
        observation.error(new NotAcquired(why));
      }
      observation.stop();
    }
  }

  /** Marks a failed acquire; the caller of the acquire gets an exception that says more. */
  private static final class NotAcquired extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotAcquired(Why why) {
      super("the acquire ended without a hold: " + why, null, false, false);
    }
  }
}
