/** The inspector for operators, and the sweeper that removes rows of unused names. */
@NullMarked
package io.holdfast.jdbc.table.admin;

import org.jspecify.annotations.NullMarked;
