/**
 * The mode row: a row that is locked by a transaction, which stays open for as long as it is held.
 */
@NullMarked
package io.holdfast.jdbc.row;

import org.jspecify.annotations.NullMarked;
