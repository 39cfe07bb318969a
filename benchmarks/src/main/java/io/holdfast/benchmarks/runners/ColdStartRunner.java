package io.holdfast.benchmarks.runners;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.WaitTimes;
import io.holdfast.cli.bench.Workload;
import io.holdfast.rig.clients.ClientJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs rounds of new child JVMs: a wait is from connecting to the first lock. */
public final class ColdStartRunner implements RoundRunner {

  private static final Duration BOUND = Duration.ofSeconds(60);

  private final ChildAssignment assignment;

  /**
   * A runner that needs nothing until its first round.
   *
   * @param name of the lock that all of them take
   */
  public ColdStartRunner(ContenderSpec spec, String name, Path folder) {
    assignment = ChildAssignment.of(spec, Workload.shared(name, 1, Duration.ZERO), folder);
  }

  /**
   * {@inheritDoc}
   *
   * @throws AssertionError with the output of a child that did not get its lock
   */
  @Override
  public Sample run(Duration time) {
    WaitTimes waits = WaitTimes.none();
    long start = System.nanoTime();
    do {
      waits.add(once());
    } while (System.nanoTime() - start < time.toNanos());
    long nanos = System.nanoTime() - start;
    return new Sample(nanos, waits, List.of(waits.count()), 0, 0, List.of(), Map.of());
  }

  private long once() {
    try (ClientJvm child =
        ClientJvm.start(ProcessRunner.spec("bench-cold", ColdStartChild.class))) {
      child.say(assignment.encoded());
      String line = child.awaitLine(ColdStartChild.GRANTED, BOUND);
      int code = child.awaitExit(BOUND);
      if (code != 0) {
        throw new AssertionError(child + " ended with " + code + ": " + child.lines());
      }
      return Long.parseLong(line.substring(ColdStartChild.GRANTED.length()).split(" ", -1)[0]);
    }
  }

  @Override
  public void close() {}
}
