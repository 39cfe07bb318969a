/** Connections, their timeouts, transactions, and what to say when they fail. */
@NullMarked
package io.holdfast.jdbc.wire;

import org.jspecify.annotations.NullMarked;
