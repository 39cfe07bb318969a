/**
 * The engine that keeps lines in this process: the reference for the rules of {@link
 * io.holdfast.spi.LockEngine}, and the store of users' own tests.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
