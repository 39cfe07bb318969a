/**
 * Meters and observations of Holdfast clients, for Micrometer.
 *
 * <p>{@link io.holdfast.micrometer.HoldfastMeters} records the events of a client and its gauges;
 * {@link io.holdfast.micrometer.HoldfastObservations} makes an observation of each acquire, which a
 * tracing library turns into a span. Neither needs the other, and neither needs Spring.
 */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
