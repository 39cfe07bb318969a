/**
 * How waiters are woken and holders learn of changed records. Start with {@link
 * io.holdfast.redis.signals.WaiterSignals}. Signals are hints: losing one costs time, never safety.
 */
@NullMarked
package io.holdfast.redis.signals;

import org.jspecify.annotations.NullMarked;
