/**
 * The inspector, the counters, and the first start of the strict profile. Start with {@link
 * io.holdfast.redis.admin.RedisInspector}.
 */
@NullMarked
package io.holdfast.redis.admin;

import org.jspecify.annotations.NullMarked;
