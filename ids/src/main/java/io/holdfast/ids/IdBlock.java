package io.holdfast.ids;

import java.util.stream.LongStream;

/**
 * Consecutive ids.
 *
 * @param first the first id
 * @param count the number of ids
 */
public record IdBlock(long first, int count) {

  public IdBlock {
    if (first < 0 || count < 1 || first > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "a block has positive ids: first=" + first + " count=" + count);
    }
  }

  /** Returns the last id. */
  public long last() {
    return first + count - 1;
  }

  /** Returns all ids in order. */
  public LongStream ids() {
    return LongStream.range(first, first + count);
  }
}
