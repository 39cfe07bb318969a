/**
 * The engine without a store: lines that live in this process. It is the reference for the rules of
 * {@link io.holdfast.spi.LockEngine}, and what users' own tests run on.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
