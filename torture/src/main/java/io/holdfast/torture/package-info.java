/**
 * The torture program: several JVMs compete for locks while faults are injected. They use the
 * public API while they are stopped and killed, their links are cut, and servers die, hang and fail
 * over. Afterwards checkers look at what every process believed, wrote and left behind.
 *
 * <p>{@code docs/reliability.md} says how to run it and what came out.
 */
@NullMarked
package io.holdfast.torture;

import org.jspecify.annotations.NullMarked;
