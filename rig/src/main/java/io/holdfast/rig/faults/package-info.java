/**
 * The fault kit on real servers, with processes as clients and proxies as links. Start reading at
 * {@link io.holdfast.rig.faults.ServerFaultStore}.
 */
@NullMarked
package io.holdfast.rig.faults;

import org.jspecify.annotations.NullMarked;
