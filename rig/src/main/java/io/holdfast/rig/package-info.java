/**
 * What the integration tests of every engine stand on: real servers as child processes, a TCP proxy
 * that can break a connection in every way a network can, client JVMs that can be killed and
 * paused, and checkers over the histories that those clients leave behind.
 *
 * <p>Nothing in here outlives the object that started it: after {@code close()} the process, its
 * folder, the port and the threads are gone. If the test JVM itself dies, its children die with it
 * (shutdown hook; where {@code setpriv} exists, also after a {@code kill -9}).
 */
@NullMarked
package io.holdfast.rig;

import org.jspecify.annotations.NullMarked;
