/**
 * The verbs of the mode table, each batch as one or few statements.
 *
 * <p>Start with {@link io.holdfast.jdbc.table.verbs.TableLane}. Most verbs take the {@link
 * io.holdfast.jdbc.table.verbs.FastPath}, one statement for all verbs of a kind; the others take
 * the {@link io.holdfast.jdbc.table.verbs.TransactionPath}, which locks rows and applies {@code
 * UnorderedRules} and {@code FifoRules}.
 */
@NullMarked
package io.holdfast.jdbc.table.verbs;

import org.jspecify.annotations.NullMarked;
