package io.holdfast.benchmarks;

import io.holdfast.rig.ClientJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Rounds of new child JVMs, one after another: a wait is from its connecting to its first lock. */
final class ColdRunner implements Runner {

  private static final Duration BOUND = Duration.ofSeconds(60);

  private final Assignment assignment;

  /**
   * A runner that needs nothing until its first round.
   *
   * @param name of the lock that all of them take
   */
  ColdRunner(Entrant entrant, String name, Path folder) {
    assignment = Assignment.of(entrant, Workload.shared(name, 1, Duration.ZERO), folder);
  }

  /**
   * {@inheritDoc}
   *
   * @throws AssertionError with the output of a child that did not get its lock
   */
  @Override
  public Sample run(Duration time) {
    Waits waits = Waits.none();
    long start = System.nanoTime();
    do {
      waits.add(once());
    } while (System.nanoTime() - start < time.toNanos());
    long nanos = System.nanoTime() - start;
    return new Sample(nanos, waits, List.of(waits.count()), 0, 0, List.of(), Map.of());
  }

  private long once() {
    try (ClientJvm child = ClientJvm.start(ProcessRunner.spec("bench-cold", ColdChild.class))) {
      child.say(assignment.encoded());
      String line = child.awaitLine(ColdChild.GRANTED, BOUND);
      int code = child.awaitExit(BOUND);
      if (code != 0) {
        throw new AssertionError(child + " ended with " + code + ": " + child.lines());
      }
      return Long.parseLong(line.substring(ColdChild.GRANTED.length()).split(" ", -1)[0]);
    }
  }

  @Override
  public void close() {}
}
