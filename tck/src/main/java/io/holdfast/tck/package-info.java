/**
 * Support for tests of programs that lock.
 *
 * <p>{@link io.holdfast.tck.Sandbox} is a store with clients in manual time, controlled by one
 * test; {@link io.holdfast.tck.HoldfastExtension} is its JUnit extension. {@link
 * io.holdfast.tck.ManualTime} and {@link io.holdfast.tck.FaultyEngine} can be used alone.
 *
 * <p>For engine authors there are two kits: {@link
 * io.holdfast.tck.conformance.EngineConformanceKit} tests an engine against the rules of {@link
 * io.holdfast.spi.LockEngine}, and {@link io.holdfast.tck.faults.EngineFaultKit} plays the same
 * faults on every engine.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
