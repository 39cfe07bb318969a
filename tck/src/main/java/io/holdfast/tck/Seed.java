package io.holdfast.tck;

/** Where the random tests of the kit begin: {@code -Dseed=} replays one. */
final class Seed {

  private Seed() {}

  /** The given one, or one that differs from run to run. */
  static long choose() {
    Long given = Long.getLong("seed");
    return given == null ? System.nanoTime() & 0xffff_ffffL : given;
  }

  static boolean isGiven() {
    return Long.getLong("seed") != null;
  }
}
