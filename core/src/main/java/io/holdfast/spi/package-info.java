/**
 * What an engine implements: one ticket, few idempotent verbs, one signal.
 *
 * <p>An engine depends on this package alone. The ten rules that every engine keeps are written at
 * {@link io.holdfast.spi.LockEngine}; the conformance kit has a chapter for each.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
