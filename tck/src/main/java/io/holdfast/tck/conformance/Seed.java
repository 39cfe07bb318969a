package io.holdfast.tck.conformance;

/** The seed of the random tests; {@code -Dseed=} replays one. */
final class Seed {

  private Seed() {}

  /** The given seed, or a seed that differs from run to run. */
  static long choose() {
    Long given = Long.getLong("seed");
    return given == null ? System.nanoTime() & 0xffff_ffffL : given;
  }

  static boolean isGiven() {
    return Long.getLong("seed") != null;
  }
}
