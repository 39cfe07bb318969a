package io.holdfast.cli.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A histogram of waits for locks, in nanoseconds, to three digits. */
public final class WaitTimes {

  private static final long LONGEST = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final Histogram histogram;

  private WaitTimes(Histogram histogram) {
    this.histogram = histogram;
  }

  /** None yet. Used by one thread at a time. */
  public static WaitTimes none() {
    return new WaitTimes(new Histogram(LONGEST, DIGITS));
  }

  /** Takes what {@link #encoded()} gave. */
  static WaitTimes decoded(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return new WaitTimes(Histogram.decodeFromCompressedByteBuffer(bytes, LONGEST));
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not an encoded histogram", e);
    }
  }

  public void add(long nanos) {
    histogram.recordValue(Math.min(nanos, LONGEST));
  }

  public void addAll(WaitTimes others) {
    histogram.add(others.histogram);
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /** The wait that this many percent of the callers did not exceed; 0 if there were none. */
  long percentile(double percent) {
    return histogram.getValueAtPercentile(percent);
  }

  public long longest() {
    return histogram.getMaxValue();
  }

  /** All of it as one word of text. */
  String encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }
}
