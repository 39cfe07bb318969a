package io.holdfast.classpaths;

import io.holdfast.micrometer.HoldfastMeters;
import io.holdfast.micrometer.HoldfastObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;

/** The meters and observations of a tour, with the Micrometer of the class path. */
final class Meters {

  private static final List<String> NAMES =
      List.of("holdfast.acquire", "holdfast.hold", "holdfast.held", HoldfastObservations.NAME);

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final ObservationRegistry observed = ObservationRegistry.create();
  private final HoldfastMeters events = HoldfastMeters.of(registry);

  Meters() {
    observed.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
  }

  HoldfastMeters events() {
    return events;
  }

  HoldfastObservations observations() {
    return HoldfastObservations.of(observed);
  }

  void requireAll() {
    for (String name : NAMES) {
      if (registry.find(name).meters().isEmpty()) {
        throw new IllegalStateException("no meter " + name);
      }
    }
  }
}
