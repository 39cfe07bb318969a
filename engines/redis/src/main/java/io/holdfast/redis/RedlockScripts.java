package io.holdfast.redis;

import io.holdfast.redis.wire.Script;
import java.util.List;

/** The atomic steps at one of several masters. What ends a claim may run when memory is full. */
final class RedlockScripts {

  private static final String ALLOW_OOM = "allow-oom";

  static final Script ATTEMPT =
      load(true, "", "redlock-keys", "clock", "time", "prolong", "redlock-attempt");
  static final Script RENEW = load(false, ALLOW_OOM, "redlock-keys", "prolong", "redlock-renew");
  static final Script LEAVE = load(false, ALLOW_OOM, "redlock-keys", "redlock-leave");

  static final List<Script> ALL = List.of(ATTEMPT, RENEW, LEAVE);

  private RedlockScripts() {}

  private static Script load(boolean wantsRunId, String flags, String... parts) {
    return Script.load(RedlockScripts.class, wantsRunId, flags, parts);
  }
}
