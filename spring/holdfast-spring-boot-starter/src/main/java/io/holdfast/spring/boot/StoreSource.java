package io.holdfast.spring.boot;

import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import java.util.function.Function;

/**
 * The store of a bean of the application.
 *
 * @param onlyIfNamed whether it is used only when {@code holdfast.store} names it
 */
record StoreSource(
    HoldfastProperties.Store store, boolean onlyIfNamed, Function<Settings, LockEngine> open) {}
