package io.holdfast.redis;

import io.holdfast.redis.wire.Script;

/** The atomic steps. What ends a claim may also run when the server's memory is full. */
final class Scripts {

  private static final String PLAIN = "";
  private static final String ALLOW_OOM = "allow-oom";
  private static final String NO_WRITES = "no-writes";

  static final Script ANY_ATTEMPT = anyAttempt(false);
  static final Script ANY_ATTEMPT_STRICT = anyAttempt(true);
  static final Script ANY_RENEW = load(false, ALLOW_OOM, "any-keys", "prolong", "any-renew");
  static final Script ANY_LEAVE =
      load(
          false,
          ALLOW_OOM,
          "any-keys",
          "any-leave-quick",
          "clock",
          "time",
          "any-next",
          "any-leave");
  static final Script ANY_UNDO =
      load(false, ALLOW_OOM, "any-keys", "clock", "time", "any-next", "any-undo");
  static final Script QUICK_ATTEMPTS = load(false, PLAIN, "quick-attempts");
  static final Script QUICK_LEAVES = load(false, ALLOW_OOM, "quick-leaves");
  static final Script ANY_SETTLE =
      load(false, ALLOW_OOM, "any-keys", "clock", "time", "any-next", "any-settle");

  static final Script LINE_ATTEMPT = lineAttempt(false);
  static final Script LINE_ATTEMPT_STRICT = lineAttempt(true);
  static final Script LINE_RENEW =
      load(false, ALLOW_OOM, "line-keys", "clock", "time", "line-renew");
  static final Script LINE_LEAVE =
      load(false, ALLOW_OOM, "line-keys", "clock", "time", "any-shape", "line", "line-leave");
  static final Script LINE_UNDO =
      load(false, ALLOW_OOM, "line-keys", "clock", "time", "any-shape", "line", "line-undo");
  static final Script LINE_RESIZE =
      load(
          false,
          PLAIN,
          "line-keys",
          "clock",
          "time",
          "reign",
          "bucket",
          "any-shape",
          "line",
          "line-resize");

  static final Script INSPECT_SHOW =
      load(false, NO_WRITES, "inspect-keys", "clock", "time", "any-shape", "line", "inspect-show");
  static final Script INSPECT_REVOKE =
      load(
          false,
          ALLOW_OOM,
          "inspect-keys",
          "clock",
          "time",
          "any-shape",
          "line",
          "inspect-find",
          "inspect-tell",
          "inspect-revoke");
  static final Script INSPECT_EVICT =
      load(
          false,
          ALLOW_OOM,
          "inspect-keys",
          "clock",
          "time",
          "any-next",
          "any-shape",
          "line",
          "inspect-find",
          "inspect-tell",
          "inspect-evict");

  static final Script FENCE_CLAIM = load(false, PLAIN, "fence", "fence-check");
  static final Script FENCE_ADMIT = load(false, NO_WRITES, "fence", "fence-check");
  static final Script FENCE_WRITE = load(false, PLAIN, "fence", "fence-write");

  private Scripts() {}

  private static Script anyAttempt(boolean strict) {
    return load(
        strict,
        PLAIN,
        "any-keys",
        "clock",
        "any-quick",
        "time",
        "reign",
        "bucket",
        "any-shape",
        "prolong",
        "any-attempt");
  }

  private static Script lineAttempt(boolean strict) {
    return load(
        strict,
        PLAIN,
        "line-keys",
        "clock",
        "time",
        "reign",
        "bucket",
        "any-shape",
        "line",
        "line-attempt");
  }

  private static Script load(boolean wantsRunId, String flags, String... parts) {
    return Script.load(Scripts.class, wantsRunId, flags, parts);
  }
}
