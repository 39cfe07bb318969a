/** Child processes with their ports, folders and signals, and servers in general. */
@NullMarked
package io.holdfast.rig.process;

import org.jspecify.annotations.NullMarked;
