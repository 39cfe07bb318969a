/** The servers of every store, alone and as clusters, as child processes on loopback ports. */
@NullMarked
package io.holdfast.rig.servers;

import org.jspecify.annotations.NullMarked;
