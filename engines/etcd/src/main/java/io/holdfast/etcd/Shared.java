package io.holdfast.etcd;

import io.holdfast.etcd.wire.Watches;
import io.holdfast.spi.Refusals;
import java.util.function.LongSupplier;

/** What the lanes of one client share. */
record Shared(
    Sessions sessions,
    Places places,
    Marks marks,
    Watches watches,
    Refusals refusals,
    LongSupplier nanoTime,
    LongSupplier epochMicros) {}
