/**
 * Test infrastructure for engines: real servers, a fault proxy, client JVMs and history checkers.
 * The proxy can break a connection in every way a network can, and client JVMs can be killed and
 * paused.
 *
 * <p>Nothing in here outlives the object that started it: after {@code close()} the process, its
 * folder, the port and the threads are gone. If the test JVM itself dies, its children die with it
 * (shutdown hook; where {@code setpriv} exists, also after a {@code kill -9}).
 */
@NullMarked
package io.holdfast.rig;

import org.jspecify.annotations.NullMarked;
