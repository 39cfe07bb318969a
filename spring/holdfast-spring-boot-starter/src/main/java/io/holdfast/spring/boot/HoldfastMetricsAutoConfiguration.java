package io.holdfast.spring.boot;

import io.holdfast.AcquireTracer;
import io.holdfast.micrometer.HoldfastMeters;
import io.holdfast.micrometer.HoldfastObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Meters and observations of the clients, when {@code holdfast-micrometer} is there. They are
 * switched off by {@code management.metrics.enable.holdfast} and {@code
 * management.observations.enable.holdfast}, which Spring Boot applies to its registries.
 */
@AutoConfiguration(
    after = HoldfastAutoConfiguration.class,
    afterName = {
      // Boot 3, then Boot 4. The composite is the primary one of several registries.
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass({HoldfastMeters.class, MeterRegistry.class})
@ConditionalOnProperty(name = "holdfast.enabled", havingValue = "true", matchIfMissing = true)
public class HoldfastMetricsAutoConfiguration {

  HoldfastMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  ClientMeters holdfastClientMeters(MeterRegistry registry) {
    return new MicrometerClientMeters(registry);
  }

  /** A client has one tracer, so one of the program takes its place. */
  @Bean
  @ConditionalOnSingleCandidate(ObservationRegistry.class)
  @ConditionalOnMissingBean(AcquireTracer.class)
  HoldfastObservations holdfastObservations(ObservationRegistry registry) {
    return HoldfastObservations.of(registry);
  }
}
