/**
 * Locks for methods of Spring beans: annotations, the advice behind them, and transactions that
 * check their hold.
 *
 * <p>{@link io.holdfast.spring.EnableHoldfast} switches it on; with Spring Boot, the starter does.
 */
@NullMarked
package io.holdfast.spring;

import org.jspecify.annotations.NullMarked;
