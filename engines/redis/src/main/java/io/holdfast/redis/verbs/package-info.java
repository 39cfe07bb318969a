/**
 * The algorithm: one file per verb, each with its Lua script, its arguments and how the reply is
 * read. Start with {@code Attempt}; the scripts are in the resource folder {@code verbs}, what they
 * share in {@code layout}.
 */
@NullMarked
package io.holdfast.redis.verbs;

import org.jspecify.annotations.NullMarked;
