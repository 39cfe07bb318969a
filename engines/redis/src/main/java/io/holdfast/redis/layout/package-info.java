/**
 * What is stored: names of keys, letters of shapes, and how a line and foreign records are read.
 * Start with {@link io.holdfast.redis.layout.Keys}; the Lua side is the resource folder {@code
 * layout}.
 */
@NullMarked
package io.holdfast.redis.layout;

import org.jspecify.annotations.NullMarked;
