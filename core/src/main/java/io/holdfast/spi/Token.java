package io.holdfast.spi;

/**
 * The arithmetic of fencing tokens: {@code generation x 2^56 + counter x 1024 + hand-over}.
 *
 * <p>Why tokens rise: the counter comes from one atomic step of the store and rises with every
 * grant; hand-overs inside a client add 1 to 1,023 to a counter that only this client received; the
 * generation outranks both. What breaks it: a store that loses its counter and whose clock went
 * back as well, which is what the generation is for.
 */
public final class Token {

  /** The highest generation. */
  public static final int MAX_GENERATION = 127;

  /** How often one grant can be handed over within a client. */
  public static final int MAX_HAND_OVERS = 1023;

  private static final int HAND_OVER_BITS = 10;
  private static final int GENERATION_BITS = 56;
  private static final long MAX_COUNTER = (1L << (GENERATION_BITS - HAND_OVER_BITS)) - 1;
  private static final long MICROS_A_TICK = 64;

  private Token() {}

  /**
   * Returns the token of a fresh grant.
   *
   * @param counter the store's counter, 0 to 2^46 - 1
   * @throws IllegalArgumentException when an argument is out of range: a wrapped token would pass
   *     guards that it must not pass
   */
  public static long of(int generation, long counter) {
    if (generation < 0 || generation > MAX_GENERATION) {
      throw new IllegalArgumentException(
          "generation must be 0.." + MAX_GENERATION + ": generation=" + generation);
    }
    if (counter < 0 || counter > MAX_COUNTER) {
      throw new IllegalArgumentException(
          "token counter must be 0.." + MAX_COUNTER + ": counter=" + counter);
    }
    return ((long) generation << GENERATION_BITS) | (counter << HAND_OVER_BITS);
  }

  /** Returns the token of the n-th hand-over of a grant. */
  public static long handedOver(long granted, int times) {
    if (times < 0 || times > MAX_HAND_OVERS) {
      throw new IllegalArgumentException(
          "hand-overs must be 0.." + MAX_HAND_OVERS + ": times=" + times);
    }
    return Math.addExact(granted, times);
  }

  /**
   * Returns the grant that a token belongs to, however often it was handed over: operators use it.
   */
  public static long grant(long token) {
    return token >>> HAND_OVER_BITS;
  }

  /** Returns the store's counter within a token. */
  public static long counter(long token) {
    return grant(token) & MAX_COUNTER;
  }

  /** Returns the generation within a token. */
  public static int generation(long token) {
    return (int) (token >>> GENERATION_BITS);
  }

  /**
   * Returns the next counter of a store that mints by its clock: above the previous one, and not
   * below the time, so that it does not go back when the store loses its last writes.
   */
  public static long nextCounter(long previous, long epochMicros) {
    return Math.max(Math.addExact(previous, 1), epochMicros / MICROS_A_TICK);
  }
}
