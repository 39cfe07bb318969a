package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.micrometer.HoldfastMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.Function;

/** Meters of {@code holdfast-micrometer}, with the tag {@value #CLIENT}. */
record MicrometerClientMeters(MeterRegistry registry) implements ClientMeters {

  static final String CLIENT = "client";

  @Override
  public boolean madeBy(HoldfastListener listener) {
    return listener instanceof HoldfastMeters;
  }

  @Override
  public Holdfast open(
      String name, HoldfastOptions options, Function<HoldfastOptions, Holdfast> open) {
    HoldfastMeters meters = HoldfastMeters.of(registry).withTags(Tags.of(CLIENT, name));
    // First: what a listener of the program throws does not cost a count.
    Holdfast client = open.apply(options.withListener(meters.and(options.listener())));
    try {
      meters.bind(client);
    } catch (RuntimeException e) {
      client.close(); // Not a bean yet, so nothing else would.
      throw e;
    }
    return client;
  }
}
