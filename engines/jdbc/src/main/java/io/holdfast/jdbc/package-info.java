/**
 * Holdfast over a database: PostgreSQL, MariaDB, MySQL, H2 and SQLite.
 *
 * <p>{@link io.holdfast.jdbc.JdbcOptions#of} describes the addresses, {@link
 * io.holdfast.jdbc.JdbcEngine} opens the engine. What protects data from late holders is in {@code
 * io.holdfast.jdbc.guard}.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
