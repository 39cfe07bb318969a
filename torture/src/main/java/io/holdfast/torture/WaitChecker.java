package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Finds calls that did not return at their time. The time in which the process was stopped does not
 * count.
 */
final class WaitChecker {
  /** A call may take one operation timeout beyond its time. */
  private static final Duration OPERATION = Duration.ofSeconds(2);

  /** Processes and servers share a machine that stands still at times. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  /**
   * What was found.
   *
   * @param late calls that returned too late, or not before their process was killed
   * @param never calls that had not returned when their process ended in order
   * @param longestLateMillis beyond wait and operation timeout, of all calls
   */
  record Result(List<String> late, List<String> never, double longestLateMillis) {}

  private final Collection<Fault> faults;

  WaitChecker(Collection<Fault> faults) {
    this.faults =
        faults.stream()
            .filter(
                fault ->
                    fault.kind() == FaultKind.WORKER_STOPPED
                        || fault.kind() == FaultKind.WORKER_SUSPENDED)
            .toList();
  }

  Result check(Collection<Workers.Life> lives) {
    List<String> late = new ArrayList<>();
    List<String> never = new ArrayList<>();
    long longest = 0;
    for (Workers.Life life : lives) {
      for (Call call : life.log.calls()) {
        long end = call.isGranted() ? call.granted : call.isOver() ? call.refused : life.over;
        long lateness = end - call.called - call.waitNanos - OPERATION.toNanos();
        if (lateness > longest || !call.isOver()) {
          lateness -= stopped(call.worker, call.called, end);
        }
        longest = Math.max(longest, lateness);
        String what =
            "%s: a call for %s with %d ms to wait"
                .formatted(call.process, call.testedLock.name(), call.waitNanos / 1_000_000);
        if (!call.isOver() && !life.killed) {
          never.add(what + " never returned");
        } else if (lateness > SLACK.toNanos()) {
          late.add(what + " was late by %d ms".formatted(lateness / 1_000_000));
        }
      }
    }
    return new Result(late, never, longest / 1e6);
  }

  private long stopped(int worker, long from, long to) {
    return faults.stream()
        .filter(fault -> fault.worker() == worker)
        .mapToLong(fault -> fault.within(from, to))
        .sum();
  }
}
