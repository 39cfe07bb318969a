/** Client JVMs that acquire and release on request and can be killed and paused. */
@NullMarked
package io.holdfast.rig.clients;

import org.jspecify.annotations.NullMarked;
