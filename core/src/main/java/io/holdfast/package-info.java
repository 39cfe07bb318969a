/**
 * The lock API. Start at {@link io.holdfast.Holdfast}; what an acquire answers is a {@link
 * io.holdfast.Hold}.
 *
 * <p>A call runs straight through: {@code DistributedLock} → {@code Acquisition} (the one wait
 * loop) → {@code Lane} (batches) → engine verb → store; {@code Renewals} keep what is held.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
