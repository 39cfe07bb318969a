package io.holdfast.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Fixed inputs. */
final class Samples {
  private Samples() {}

  static WaitTimes waits(long... nanos) {
    WaitTimes waits = WaitTimes.none();
    LongStream.of(nanos).forEach(waits::add);
    return waits;
  }

  /** A second in which so many waits of 1 us were seen, shared evenly by two. */
  static Sample second(int ops) {
    return second(ops, 1_000, List.of());
  }

  static Sample second(int ops, long longest, List<String> faults) {
    WaitTimes waits = WaitTimes.none();
    for (int i = 1; i < ops; i++) {
      waits.add(1_000);
    }
    waits.add(longest);
    List<Long> shares = List.of(ops / 2L, ops - ops / 2L);
    return new Sample(1_000_000_000L, waits, shares, 100L * ops, 500L * ops, faults, Map.of());
  }

  static RaceEntry entry(String name) {
    return new RaceEntry(name, false, FakeRunner::new);
  }

  static Figures figures(String name, int... opsPerSecond) {
    List<Sample> samples = Arrays.stream(opsPerSecond).mapToObj(Samples::second).toList();
    return Figures.of(entry(name), samples.get(0), samples);
  }

  static RaceResult row(Figures... figures) {
    RaceSetup setup = RaceSetup.of(LoadMode.SHARED, 2, RaceSetup.USUAL_TIME, 3);
    return new RaceResult("a < b & c", setup, List.of(figures));
  }
}
