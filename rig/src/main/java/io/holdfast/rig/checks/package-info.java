/** Rules that every history must keep, and a comparison of what was left behind. */
@NullMarked
package io.holdfast.rig.checks;

import org.jspecify.annotations.NullMarked;
