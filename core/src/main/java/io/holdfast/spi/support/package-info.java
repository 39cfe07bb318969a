/**
 * Building blocks for engine authors: logic that every store needs and none should write again.
 *
 * <p>No class here reads a clock, draws a random number or starts a thread by itself. Each receives
 * them from its caller, so that tests can run it in virtual time.
 *
 * <p>Nothing here talks to a store. An engine may use any part of this package or none.
 */
@NullMarked
package io.holdfast.spi.support;

import org.jspecify.annotations.NullMarked;
