/**
 * A lock registry of Spring Integration over Holdfast.
 *
 * <p>{@link io.holdfast.spring.integration.HoldfastLockRegistry} takes the place of Spring
 * Integration's registries for Redis, JDBC and ZooKeeper, on the lines 6.5 to 7.1.
 */
@NullMarked
package io.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
