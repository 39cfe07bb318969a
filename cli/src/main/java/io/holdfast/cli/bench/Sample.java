package io.holdfast.cli.bench;

import com.google.gson.Gson;
import java.util.List;
import java.util.Map;

/**
 * What one round of one contender gave.
 *
 * @param nanos from the start to the end of the last caller
 * @param shares how often each thread, or each process, held a lock
 * @param bytes what the threads allocated while they worked
 * @param cpu nanoseconds that the threads were running while they worked
 * @param faults what the contender did wrong, for people; must be empty
 * @param extras more figures by name
 */
public record Sample(
    long nanos,
    WaitTimes waits,
    List<Long> shares,
    long bytes,
    long cpu,
    List<String> faults,
    Map<String, Double> extras) {

  private static final double NANOS = 1e9;

  public Sample {
    shares = List.copyOf(shares);
    faults = List.copyOf(faults);
    extras = Map.copyOf(extras);
  }

  /** How often a lock was held. */
  public long ops() {
    return waits.count();
  }

  public double opsPerSecond() {
    return ops() * NANOS / nanos;
  }

  /** What it was for one acquire and release, if it was this much for all. */
  double perOp(long sum) {
    return (double) sum / Math.max(1, ops());
  }

  public Sample withFaults(List<String> all) {
    return new Sample(nanos, waits, shares, bytes, cpu, all, extras);
  }

  public Sample withExtras(Map<String, Double> all) {
    return new Sample(nanos, waits, shares, bytes, cpu, faults, all);
  }

  /** As one line of text, for another process. */
  public String encoded() {
    return new Gson()
        .toJson(new Encoded(nanos, waits.encoded(), shares, bytes, cpu, faults, extras));
  }

  public static Sample decoded(String text) {
    Encoded e = new Gson().fromJson(text, Encoded.class);
    return new Sample(
        e.nanos, WaitTimes.decoded(e.waits), e.shares, e.bytes, e.cpu, e.faults, e.extras);
  }

  private record Encoded(
      long nanos,
      String waits,
      List<Long> shares,
      long bytes,
      long cpu,
      List<String> faults,
      Map<String, Double> extras) {}
}
