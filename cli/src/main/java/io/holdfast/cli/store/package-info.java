/**
 * Which store a command works with, and how it is reached.
 *
 * <p>Start reading at {@link io.holdfast.cli.store.StoreOption}.
 */
@NullMarked
package io.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
