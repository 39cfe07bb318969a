package io.holdfast.benchmarks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** How long callers waited for their locks, in nanoseconds, to three digits. */
final class Waits {

  private static final long LONGEST = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final Histogram histogram;

  private Waits(Histogram histogram) {
    this.histogram = histogram;
  }

  /** None yet. Used by one thread at a time. */
  static Waits none() {
    return new Waits(new Histogram(LONGEST, DIGITS));
  }

  /** Takes what {@link #encoded()} gave. */
  static Waits decoded(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return new Waits(Histogram.decodeFromCompressedByteBuffer(bytes, LONGEST));
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not an encoded histogram", e);
    }
  }

  void add(long nanos) {
    histogram.recordValue(Math.min(nanos, LONGEST));
  }

  void addAll(Waits others) {
    histogram.add(others.histogram);
  }

  long count() {
    return histogram.getTotalCount();
  }

  /** The wait that this many percent of the callers did not exceed; 0 if there were none. */
  long percentile(double percent) {
    return histogram.getValueAtPercentile(percent);
  }

  long longest() {
    return histogram.getMaxValue();
  }

  /** All of it as one word of text. */
  String encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }
}
