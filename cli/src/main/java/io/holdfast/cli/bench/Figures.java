package io.holdfast.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What an entry achieved: the median of its rounds, unless said otherwise.
 *
 * @param rounds locks acquired and released per second, round by round
 * @param p50 nanoseconds that half of the acquires did not exceed
 * @param p99 nanoseconds that 99 of 100 acquires did not exceed
 * @param longest nanoseconds of the longest acquire of all rounds
 * @param bytesPerOp what the calling threads allocated for one acquire and release
 * @param cpuPerOp nanoseconds that the calling threads ran for one acquire and release: unlike all
 *     that depends on the clock on the wall, it hardly changes when others use the machine too
 * @param faults of all rounds, that to warm up included
 * @param extras more figures by name
 */
public record Figures(
    String name,
    boolean floor,
    List<Double> rounds,
    double p50,
    double p99,
    long longest,
    Fairness fairness,
    double bytesPerOp,
    double cpuPerOp,
    List<String> faults,
    Map<String, Double> extras) {

  /**
   * Sums up.
   *
   * @param samples of the rounds that count, at least one
   * @param warmUp of the round to warm up, which counts for its faults alone
   */
  static Figures of(RaceEntry entry, Sample warmUp, List<Sample> samples) {
    Set<String> faults = new LinkedHashSet<>(warmUp.faults());
    samples.forEach(sample -> faults.addAll(sample.faults()));
    Map<String, Double> extras = new TreeMap<>();
    for (String key : samples.get(0).extras().keySet()) {
      extras.put(key, median(samples, sample -> sample.extras().getOrDefault(key, 0.0)));
    }
    return new Figures(
        entry.name(),
        entry.floor(),
        samples.stream().map(Sample::opsPerSecond).toList(),
        median(samples, sample -> sample.waits().percentile(50)),
        median(samples, sample -> sample.waits().percentile(99)),
        samples.stream().mapToLong(sample -> sample.waits().longest()).max().orElse(0),
        new Fairness(
            median(samples, sample -> Fairness.of(sample.shares()).leastToMost()),
            median(samples, sample -> Fairness.of(sample.shares()).jain())),
        median(samples, sample -> sample.perOp(sample.bytes())),
        median(samples, sample -> sample.perOp(sample.cpu())),
        List.copyOf(faults),
        extras);
  }

  public double opsPerSecond() {
    return median(rounds);
  }

  double slowest() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  double fastest() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** How far the rounds lie apart, as a part of the median. */
  double spread() {
    double middle = opsPerSecond();
    return middle == 0 ? 0 : (fastest() - slowest()) / middle;
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return median(samples.stream().map(figure::applyAsDouble).toList());
  }

  /** The middle one; of an even number, the mean of the two in the middle. */
  public static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(null);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
