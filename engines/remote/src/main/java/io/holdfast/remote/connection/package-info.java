/** Connections to servers: addresses, TLS, WebSocket frames, and which server is used. */
@NullMarked
package io.holdfast.remote.connection;

import org.jspecify.annotations.NullMarked;
