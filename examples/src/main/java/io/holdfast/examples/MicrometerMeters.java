package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.micrometer.HoldfastMeters;
import io.holdfast.micrometer.HoldfastObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

/** Meters and observations with Micrometer: tags are templates, names are in spans alone. */
public final class MicrometerMeters {

  private MicrometerMeters() {}

  // region docs
  static Holdfast connect(String uri, MeterRegistry meters, ObservationRegistry observations) {
    HoldfastMeters events = HoldfastMeters.of(meters);
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withListener(events)
            .withTracer(HoldfastObservations.of(observations));
    Holdfast holdfast = Holdfast.connect(uri, options);
    events.bind(holdfast); // gauges
    return holdfast;
  }

  // endregion

  /** Prints each observation; a tracing library makes a span of it. */
  private static final class Printer implements ObservationHandler<Observation.Context> {

    @Override
    public void onStop(Observation.Context context) {
      String name = context.getHighCardinalityKeyValue("lock.name").getValue();
      if (name.equals("orders/42")) {
        System.out.println(context.getContextualName() + ": " + name);
      }
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context.getName().equals(HoldfastObservations.NAME);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    MeterRegistry meters = new SimpleMeterRegistry();
    ObservationRegistry observations = ObservationRegistry.create();
    try (Holdfast holdfast = connect("memory:", meters, observations)) {
      holdfast.lock("orders/{}", 1).acquire().release();
      holdfast.lock("orders/{}", 2).acquire().release();
      Hold hold = holdfast.lock("orders/{}", 3).acquire();
      holdfast.lock("orders/{}", 3).tryAcquire(); // busy
      for (String outcome : new String[] {"acquired", "busy"}) {
        long count = meters.get("holdfast.acquire").tag("outcome", outcome).timer().count();
        System.out.println("orders/{} " + outcome + ": " + count);
      }
      System.out.println("held now: " + meters.get("holdfast.held").gauge().value());
      observations.observationConfig().observationHandler(new Printer());
      holdfast.lock("orders/{}", 42).acquire().release();
      hold.release();
    }
  }
}
