/** Settings of the lock service that have several parts. */
@NullMarked
package io.holdfast.server.settings;

import org.jspecify.annotations.NullMarked;
