/** Faults and loads that are the same for every engine, with their checks. */
@NullMarked
package io.holdfast.rig.scenarios;

import org.jspecify.annotations.NullMarked;
