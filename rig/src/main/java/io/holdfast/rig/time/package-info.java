/** Bounded waits, measured figures and the failure that means late, not wrong. */
@NullMarked
package io.holdfast.rig.time;

import org.jspecify.annotations.NullMarked;
