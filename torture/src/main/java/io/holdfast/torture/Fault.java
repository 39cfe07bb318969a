package io.holdfast.torture;

/**
 * A fault that was put in force.
 *
 * @param target which worker or server
 * @param worker the worker's index, or -1
 * @param start by the monotonic clock, before the first step
 * @param end after the last step
 * @param whole when nothing of it was left
 */
record Fault(FaultKind kind, String target, int worker, long start, long end, long whole) {

  /** A fault that leaves nothing behind. */
  Fault(FaultKind kind, String target, int worker, long start, long end) {
    this(kind, target, worker, start, end, end);
  }

  double seconds() {
    return (end - start) / 1e9;
  }

  /** In a sentence, with times from the start of the run. */
  String text(long zero) {
    return "%s of %s from %.1f s to %.1f s"
        .formatted(kind.word(), target, (start - zero) / 1e9, (end - zero) / 1e9);
  }

  /** Any fault of a worker. */
  static Fault ofWorker(FaultKind kind, int worker, long start, long end) {
    return new Fault(kind, "worker-" + worker, worker, start, end);
  }

  /** Whether the process of a call was stopped by it, or reached less than all servers. */
  boolean hampers(Call call) {
    return kind == FaultKind.MEMBER_UNREACHABLE
        || (worker == call.worker && kind != FaultKind.WORKER_KILLED);
  }

  /** Whether it was in force at some moment of a time. */
  boolean touches(long from, long to) {
    return start <= to && end >= from;
  }

  /** How long it was in force within a time. */
  long within(long from, long to) {
    return Math.max(0, Math.min(end, to) - Math.max(start, from));
  }
}
