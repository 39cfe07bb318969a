/**
 * The lock API, and nothing else. Start at {@link io.holdfast.Holdfast}; an acquire returns a
 * {@link io.holdfast.Hold}.
 *
 * <p>The runtime behind it is in packages that are not exported. A call goes from {@code
 * runtime.primitive} (the lock) to {@code runtime.acquire} (the wait loop) to {@code runtime.lane}
 * (batches) to a verb of the engine. {@code runtime.renew} keeps what is held, {@code runtime.hold}
 * is what the caller gets, and {@code runtime.client} ties the parts of one client together.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
