/**
 * The differences between databases: SQL, settings, and the meaning of errors.
 *
 * <p>Start with {@link io.holdfast.jdbc.dialect.Dialect}. Knows nothing else of the engine.
 */
@NullMarked
package io.holdfast.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
