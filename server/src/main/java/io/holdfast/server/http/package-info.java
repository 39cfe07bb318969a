/** HTTP and WebSocket in front of the verbs. */
@NullMarked
package io.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
