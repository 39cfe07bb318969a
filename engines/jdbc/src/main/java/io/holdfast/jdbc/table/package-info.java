/**
 * The mode table: leases in rows. Wires the packages below it.
 *
 * <p>Start with {@link io.holdfast.jdbc.table.TableEngine}, then {@code verbs.TableLane}.
 */
@NullMarked
package io.holdfast.jdbc.table;

import org.jspecify.annotations.NullMarked;
