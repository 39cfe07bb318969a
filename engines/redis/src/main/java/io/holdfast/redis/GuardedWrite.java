package io.holdfast.redis;

import java.util.List;

/**
 * What a holder does to its data in Redis, as the body of a Lua script: it runs in the same atomic
 * step as the check of its token, or not at all.
 *
 * <pre>{@code
 * new GuardedWrite("return redis.call('SET', KEYS[1], ARGV[1])", List.of("order:42"), List.of("paid"))
 * }</pre>
 *
 * <p>The server keeps every text that it has seen, so the body should be a constant: what changes
 * belongs into keys and arguments.
 *
 * @param lua statements that see {@code KEYS} and {@code ARGV} as they are given here; what they
 *     return is answered
 * @param keys all that it touches
 * @param args its arguments
 */
public record GuardedWrite(String lua, List<String> keys, List<String> args) {

  /** Copies the lists. */
  public GuardedWrite {
    keys = List.copyOf(keys);
    args = List.copyOf(args);
    if (lua.isBlank()) {
      throw new IllegalArgumentException("lua must say what to write: lua is blank");
    }
  }
}
