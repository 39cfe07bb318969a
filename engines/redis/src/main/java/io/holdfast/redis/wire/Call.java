package io.holdfast.redis.wire;

import java.util.List;

/**
 * One script to run. All keys share a tag, so that one server has them.
 *
 * @param acknowledged whether replicas are to confirm it, where the store is set up so
 */
public record Call(Script script, List<byte[]> keys, List<byte[]> args, boolean acknowledged) {}
