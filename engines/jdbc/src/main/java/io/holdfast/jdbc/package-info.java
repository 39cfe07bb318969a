/**
 * Holdfast over a database: PostgreSQL, MariaDB, MySQL, H2 and SQLite. {@link
 * io.holdfast.jdbc.JdbcOptions#of} has the form of the addresses. And what protects data there:
 * fence guards, locks of transactions, and optimistic updates.
 */
@NullMarked
package io.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
