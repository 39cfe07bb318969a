/**
 * The generators behind {@link io.holdfast.ids.Ids}; not exported.
 *
 * <p>Start reading at {@link io.holdfast.ids.internal.Generators}. Time-ordered ids are in {@code
 * TimelineIds}; {@code WorkerLeases} explains why two generators never make the same id.
 */
@NullMarked
package io.holdfast.ids.internal;

import org.jspecify.annotations.NullMarked;
