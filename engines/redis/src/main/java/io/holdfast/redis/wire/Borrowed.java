package io.holdfast.redis.wire;

/** What a client that the program has handed in cannot do: its connections are not ours to know. */
final class Borrowed {

  private Borrowed() {}

  static void check(boolean strict, int minReplicas) {
    if (strict) {
      throw new IllegalArgumentException(
          "the strict profile needs connections of its own, to know which server process is behind"
              + " each: open it by a redis: address instead of handing in a client");
    }
    if (minReplicas > 0) {
      throw new IllegalArgumentException(
          "replicas can be asked only over connections of its own: open it by a redis: address"
              + " instead of handing in a client: minReplicas="
              + minReplicas);
    }
  }
}
