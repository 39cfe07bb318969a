package io.holdfast.ids;

/** Spreads the bits of numbers that are close together over all 64. */
final class Mix {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private Mix() {}

  /** A bijection: different numbers stay different. */
  static long mix(long number) {
    long z = number * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
