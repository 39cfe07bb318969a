/** Locks that live as long as a connection: what the modes session and row share. */
@NullMarked
package io.holdfast.jdbc.kept;

import org.jspecify.annotations.NullMarked;
