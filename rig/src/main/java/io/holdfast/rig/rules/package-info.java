/** Checks of a module's own code: dependencies between packages, public types, Javadoc. */
@NullMarked
package io.holdfast.rig.rules;

import org.jspecify.annotations.NullMarked;
