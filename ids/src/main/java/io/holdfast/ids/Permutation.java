package io.holdfast.ids;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A keyed permutation that hides how many ids there are and their order.
 *
 * <p>Different ids stay different, and the key is needed to get the id back. Use it for ids that
 * strangers see; store the id itself, which sorts.
 *
 * <p>It has ten rounds of a Feistel network over SipHash-2-4; numbers outside the range go through
 * it again until they are inside. Immutable and thread-safe.
 */
public final class Permutation {

  private static final int ROUNDS = 10;
  private static final int KEY_BYTES = 16;
  private static final int LEAST_BITS = 8;
  private static final int MOST_BITS = 63;

  private final long key0;
  private final long key1;
  private final int bits;
  private final int half;
  private final long mask;

  private Permutation(long key0, long key1, int bits) {
    this.key0 = key0;
    this.key1 = key1;
    this.bits = bits;
    this.half = (bits + 1) / 2;
    this.mask = (1L << half) - 1;
  }

  /**
   * Returns the permutation of a key.
   *
   * @param key 16 random bytes; keep them secret, and never change them: another key cannot read
   *     the hidden ids
   * @param bits the bits of the ids, 8 to 63; hidden ids have no more: 53 for JavaScript
   */
  public static Permutation of(byte[] key, int bits) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("the key must have 16 bytes: bytes=" + key.length);
    }
    if (bits < LEAST_BITS || bits > MOST_BITS) {
      throw new IllegalArgumentException("bits must be 8..63: bits=" + bits);
    }
    ByteBuffer words = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    return new Permutation(words.getLong(), words.getLong(), bits);
  }

  /**
   * Returns the hidden form of an id.
   *
   * @throws IllegalArgumentException if the id is negative or has more bits
   */
  public long hide(long id) {
    long hidden = forth(require(id));
    while (isOutside(hidden)) {
      hidden = forth(hidden);
    }
    return hidden;
  }

  /**
   * Returns the id of a hidden form.
   *
   * @throws IllegalArgumentException if the hidden form is negative or has more bits
   */
  public long show(long hidden) {
    long id = back(require(hidden));
    while (isOutside(id)) {
      id = back(id);
    }
    return id;
  }

  private long require(long number) {
    if (number < 0 || isOutside(number)) {
      throw new IllegalArgumentException("must be a number of " + bits + " bits: number=" + number);
    }
    return number;
  }

  private boolean isOutside(long number) {
    return number >>> bits != 0;
  }

  private long forth(long number) {
    long left = number >>> half;
    long right = number & mask;
    for (int round = 0; round < ROUNDS; round++) {
      long next = left ^ (sip(round, right) & mask);
      left = right;
      right = next;
    }
    return left << half | right;
  }

  private long back(long number) {
    long left = number >>> half;
    long right = number & mask;
    for (int round = ROUNDS - 1; round >= 0; round--) {
      long before = right ^ (sip(round, left) & mask);
      right = left;
      left = before;
    }
    return left << half | right;
  }

  /** SipHash-2-4 of one word: the round above, the half below. */
  private long sip(int round, long number) {
    long word = (long) round << 32 | number;
    long[] v = {
      key0 ^ 0x736f6d6570736575L,
      key1 ^ 0x646f72616e646f6dL,
      key0 ^ 0x6c7967656e657261L,
      key1 ^ 0x7465646279746573L
    };
    v[3] ^= word;
    stir(v);
    stir(v);
    v[0] ^= word;
    long length = 8L << 56;
    v[3] ^= length;
    stir(v);
    stir(v);
    v[0] ^= length;
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) {
      stir(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
  }

  private static void stir(long[] v) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
    v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
    v[0] = Long.rotateLeft(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
    v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
    v[2] = Long.rotateLeft(v[2], 32);
  }
}
