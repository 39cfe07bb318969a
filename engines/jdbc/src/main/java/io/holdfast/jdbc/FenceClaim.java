package io.holdfast.jdbc;

import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;

/** One that shows its token at a fence. */
record FenceClaim(Resource resource, long token, String holdId) {

  private static final int LONGEST_ID = 255;

  FenceClaim {
    requireHolder(token, holdId);
  }

  /** Refuses what no hold has: zero stands for nobody. */
  static void requireHolder(long token, String holdId) {
    if (token < 1) {
      throw new IllegalArgumentException("token must be >= 1: token=" + token);
    }
    int bytes = holdId.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > LONGEST_ID) {
      throw new IllegalArgumentException(
          "holdId must be 1.." + LONGEST_ID + " bytes of UTF-8: bytes=" + bytes);
    }
  }

  /** What the record of the resource is found by; a namespace has no colon. */
  String key() {
    return resource.namespace() + ":" + resource.name();
  }
}
