package io.holdfast.ids;

import java.util.stream.LongStream;

/**
 * Ids in a row.
 *
 * @param first the first one
 * @param count how many
 */
public record IdBlock(long first, int count) {

  public IdBlock {
    if (first < 0 || count < 1 || first > Long.MAX_VALUE - count) {
      throw new IllegalArgumentException(
          "a block has positive ids: first=" + first + " count=" + count);
    }
  }

  /** The last one. */
  public long last() {
    return first + count - 1;
  }

  /** All of them, in order. */
  public LongStream ids() {
    return LongStream.range(first, first + count);
  }
}
