/**
 * The interface that an engine implements: one ticket, few idempotent verbs, one signal.
 *
 * <p>An engine depends on this package and on {@code io.holdfast.spi.support} alone. {@link
 * io.holdfast.spi.LockEngine} lists the ten rules that every engine keeps; the conformance kit has
 * a chapter for each.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
