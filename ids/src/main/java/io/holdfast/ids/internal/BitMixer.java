package io.holdfast.ids.internal;

/** Spreads the bits of similar numbers over all 64 bits. */
public final class BitMixer {

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private BitMixer() {}

  /** Mixes the bits; a bijection, so different numbers stay different. */
  public static long mix(long number) {
    long z = number * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
