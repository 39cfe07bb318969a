/** Who sends a request, and what that client may do. */
@NullMarked
package io.holdfast.server.security;

import org.jspecify.annotations.NullMarked;
