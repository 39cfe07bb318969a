/** The lock service: a server in front of any store. */
@NullMarked
package io.holdfast.server;

import org.jspecify.annotations.NullMarked;
