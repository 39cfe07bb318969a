package io.holdfast.redis;

import java.util.List;

/**
 * A write to Redis, as the body of a Lua script that runs behind a fence.
 *
 * <p>It runs in the same atomic step as the check of the token, or not at all.
 *
 * <pre>{@code
 * new GuardedWrite("return redis.call('SET', KEYS[1], ARGV[1])", List.of("order:42"), List.of("paid"))
 * }</pre>
 *
 * <p>The server caches every script text, so the body should be a constant: put what varies into
 * keys and arguments.
 *
 * @param lua statements that see {@code KEYS} and {@code ARGV} as given here; their result is
 *     returned
 * @param keys all keys that it uses
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
