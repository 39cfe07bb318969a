package io.holdfast.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One that shows its token at a fence.
 *
 * @param exclusive whether it claims, and everyone before it is out
 */
record Claimant(String resource, long token, String holdId, boolean exclusive) {

  Claimant {
    if (token < 1) {
      throw new IllegalArgumentException("token must be >= 1: token=" + token);
    }
  }

  /** As {@code fence.lua} takes it, with room for more. */
  List<byte[]> args() {
    List<byte[]> args = new ArrayList<>();
    for (String arg : List.of(exclusive ? "c" : "a", Long.toString(token), holdId)) {
      args.add(arg.getBytes(StandardCharsets.UTF_8));
    }
    return args;
  }
}
