package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireTracer;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener.Why;
import io.holdfast.HoldfastOptions;
import io.holdfast.Kind;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an observation of an acquire says, by Micrometer's own checks of observations. */
@Timeout(60)
class ObservationsTest {

  private static final Duration WAIT = Duration.ofSeconds(20);

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final HoldfastObservations tracer = HoldfastObservations.of(registry);
  private final Holdfast holdfast =
      Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withTracer(tracer));

  @AfterEach
  void close() {
    holdfast.close();
  }

  private TestObservationRegistryAssert observed() {
    return TestObservationRegistryAssert.assertThat(registry);
  }

  @Test
  void theTemplateIsOfLowCardinalityAndTheNameIsNot() throws Exception {
    try (Hold hold = holdfast.lock("orders/{}", 42).acquire(WAIT)) {
      observed()
          .hasNumberOfObservationsEqualTo(1)
          .hasSingleObservationThat()
          .hasNameEqualTo("holdfast.lock.acquire")
          .hasContextualNameEqualTo("acquire orders/{}")
          .hasBeenStarted()
          .hasBeenStopped()
          .doesNotHaveError()
          .hasLowCardinalityKeyValue("lock", "orders/{}")
          .hasLowCardinalityKeyValue("kind", "mutex")
          .hasLowCardinalityKeyValue("outcome", "acquired")
          .hasHighCardinalityKeyValue("lock.name", "orders/42")
          .hasHighCardinalityKeyValue("namespace", "default")
          .hasHighCardinalityKeyValue("store", "memory:")
          .hasHighCardinalityKeyValue("token", Long.toString(hold.token()))
          .doesNotHaveLowCardinalityKeyValueWithKey("lock.name");
    }
  }

  @Test
  void theCallersObservationIsTheParentOfABlockingAcquire() throws Exception {
    Observation parent = Observation.start("request", registry);
    try (Observation.Scope scope = parent.openScope()) {
      holdfast.lock("a").acquire(WAIT).release();
      assertThat(registry.getCurrentObservation()).isSameAs(parent);
    }
    parent.stop();
    observed()
        .hasObservationWithNameEqualTo("holdfast.lock.acquire")
        .that()
        .hasParentObservationEqualTo(parent);
  }

  @Test
  void theCallersObservationIsTheParentOfAnAcquireThatEndsElsewhere() throws Exception {
    Hold first = holdfast.lock("a").acquire(WAIT);
    registry.clear();
    Observation parent = Observation.start("request", registry);
    CompletableFuture<Hold> second;
    try (Observation.Scope scope = parent.openScope()) {
      second = holdfast.lock("a").acquireAsync(WAIT);
    }
    parent.stop();
    observed()
        .hasObservationWithNameEqualTo("holdfast.lock.acquire")
        .that()
        .hasBeenStarted()
        .isNotStopped();
    first.release();
    second.get(20, TimeUnit.SECONDS).release();
    observed()
        .hasObservationWithNameEqualTo("holdfast.lock.acquire")
        .that()
        .hasBeenStopped()
        .hasLowCardinalityKeyValue("outcome", "handed_over")
        .hasParentObservationEqualTo(parent);
  }

  @Test
  void aBusyLockIsNoError() throws Exception {
    Hold hold = holdfast.lock("a").acquire(WAIT);
    registry.clear();
    assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
    hold.release();
    observed()
        .hasSingleObservationThat()
        .hasBeenStopped()
        .doesNotHaveError()
        .hasLowCardinalityKeyValue("outcome", "busy")
        .doesNotHaveHighCardinalityKeyValueWithKey("token");
  }

  @ParameterizedTest
  @EnumSource(Why.class)
  void onlyTroubleIsAnError(Why why) {
    tracer.begin(acquire("a", "t/{}")).notAcquired(why);
    var observation = observed().hasSingleObservationThat().hasBeenStopped();
    switch (why) {
      case BUSY, CANCELLED, CLOSED -> observation.doesNotHaveError();
      case UNAVAILABLE, UNKNOWN, REFUSED, OVERLOADED ->
          observation
              .hasError()
              .thenError()
              .hasMessage("the acquire ended without a hold: " + why)
              .satisfies(error -> assertThat(error.getStackTrace()).isEmpty());
    }
  }

  private static AcquireTracer.Acquire acquire(String name, String tag) {
    return new AcquireTracer.Acquire(
        "default", name, tag, Kind.MUTEX, Optional.of(WAIT), "memory:");
  }

  @Test
  void templatesAboveTheLimitShareOneKey() {
    HoldfastObservations few = tracer.withMaxTags(1);
    few.begin(acquire("a/1", "a/{}")).acquired(1, false);
    registry.clear();
    few.begin(acquire("b/1", "b/{}")).acquired(2, false);
    observed()
        .hasSingleObservationThat()
        .hasContextualNameEqualTo("acquire other")
        .hasLowCardinalityKeyValue("lock", "other")
        .hasHighCardinalityKeyValue("lock.name", "b/1");
  }

  @Test
  void aRegistryThatMakesMetersOfObservationsDoesNotClashWithTheMeters() throws Exception {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    HoldfastOptions both =
        HoldfastOptions.DEFAULTS.withTracer(tracer).withListener(HoldfastMeters.of(meters));
    try (Holdfast client = Holdfast.connect("memory:", both)) {
      client.lock("orders/{}", 1).acquire(WAIT).release();
      client.lock("orders/{}", 2).acquire(WAIT).release();
    }
    assertThat(meters.get("holdfast.acquire").timers())
        .singleElement()
        .satisfies(timer -> assertThat(timer.count()).isEqualTo(2));
    Timer observed = meters.get("holdfast.lock.acquire").timer();
    assertThat(observed.count()).isEqualTo(2);
    assertThat(observed.getId().getTags())
        .extracting(tag -> tag.getKey() + "=" + tag.getValue())
        .containsExactlyInAnyOrder(
            "lock=orders/{}", "kind=mutex", "outcome=acquired", "error=none");
  }

  @Test
  void aRegistryThatObservesNothingCostsNothing() {
    HoldfastObservations off = HoldfastObservations.of(ObservationRegistry.NOOP);
    assertThat(off.begin(acquire("a", "a"))).isSameAs(AcquireTracer.Span.NONE);
  }
}
