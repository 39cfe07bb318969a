package io.holdfast.jdbc.guard;

import io.holdfast.spi.Resource;
import io.holdfast.spi.support.GuardSteps;
import java.nio.charset.StandardCharsets;

/** A holder's claim: its token and id, for a resource. */
record FenceClaim(Resource resource, long token, String holdId) {

  private static final int LONGEST_ID = 255;

  FenceClaim {
    requireHolder(token, holdId);
  }

  /** Refuses values that no hold has: zero stands for no holder. */
  static void requireHolder(long token, String holdId) {
    GuardSteps.requireToken(token);
    int bytes = holdId.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > LONGEST_ID) {
      throw new IllegalArgumentException(
          "holdId must be 1.." + LONGEST_ID + " bytes of UTF-8: bytes=" + bytes);
    }
  }

  /** Returns the key of the resource's record; a namespace has no colon. */
  String key() {
    return resource.namespace() + ":" + resource.name();
  }
}
