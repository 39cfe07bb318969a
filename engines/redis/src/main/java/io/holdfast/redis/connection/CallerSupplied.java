package io.holdfast.redis.connection;

/**
 * Rejects profiles that a caller-supplied client cannot serve, because its connections are its own.
 */
final class CallerSupplied {

  private CallerSupplied() {}

  static void check(boolean strict, int minReplicas) {
    if (strict) {
      throw new IllegalArgumentException(
          "the strict profile needs connections of its own, to know which server process is behind"
              + " each: open it by a redis: address instead of passing a client");
    }
    if (minReplicas > 0) {
      throw new IllegalArgumentException(
          "replicas can be asked only over connections of its own: open it by a redis: address"
              + " instead of passing a client: minReplicas="
              + minReplicas);
    }
  }
}
