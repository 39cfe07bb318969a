/**
 * Other lock libraries, and plain locks without a library, behind one adapter shape.
 *
 * <p>{@link io.holdfast.benchmarks.peers.Peers} lists them. Each adapter connects to a store and
 * says how one thread takes a lock and gives it back.
 */
@NullMarked
package io.holdfast.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
