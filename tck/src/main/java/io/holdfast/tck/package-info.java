/**
 * For those who write an engine and for those who test a program that locks.
 *
 * <p>{@link io.holdfast.tck.EngineConformanceKit} holds an engine to the rules of {@link
 * io.holdfast.spi.LockEngine}. {@link io.holdfast.tck.Sandbox} is a store, its clients and their
 * time, all in the hand of one test; {@link io.holdfast.tck.HoldfastExtension} brings it to JUnit.
 */
@NullMarked
package io.holdfast.tck;

import org.jspecify.annotations.NullMarked;
