/** The histories that client processes write while they acquire, hold and release. */
@NullMarked
package io.holdfast.rig.history;

import org.jspecify.annotations.NullMarked;
