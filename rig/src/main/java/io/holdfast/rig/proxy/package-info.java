/** A TCP proxy that holds, delays, swallows, cuts and resets connections. */
@NullMarked
package io.holdfast.rig.proxy;

import org.jspecify.annotations.NullMarked;
