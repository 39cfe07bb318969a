package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A history made by hand; times in milliseconds, all claims on the lock "L". */
final class HistoryBuilder {
  private final List<Event> events = new ArrayList<>();

  Steps claim(String process, String hold) {
    return claim(process, hold, 1);
  }

  Steps claim(String process, String hold, int weight) {
    return new Steps(process, "L", hold, weight);
  }

  Steps claimOf(String lock, String process, String hold) {
    return new Steps(process, lock, hold, 1);
  }

  void killed(String process, long at) {
    events.add(about(process, at, Op.KILLED));
  }

  void stalled(String process, long at) {
    events.add(about(process, at, Op.STALLED));
  }

  History history() {
    return new History(events);
  }

  private static Event about(String process, long at, Op op) {
    return new Event(
        nanos(at), process, "", "", 1, op, Phase.INFO, Event.NO_TOKEN, Event.NO_DEADLINE);
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The steps of one claim. */
  final class Steps {
    private final String process;
    private final String lock;
    private final String hold;
    private final int weight;

    private Steps(String process, String lock, String hold, int weight) {
      this.process = process;
      this.lock = lock;
      this.hold = hold;
      this.weight = weight;
    }

    Steps enqueued(long sent, long acknowledged) {
      add(sent, Op.ENQUEUE, Phase.INVOKE);
      return add(acknowledged, Op.ENQUEUE, Phase.OK);
    }

    Steps asks(long at) {
      return add(at, Op.ACQUIRE, Phase.INVOKE);
    }

    Steps granted(long at, long token, long deadline) {
      return add(at, Op.ACQUIRE, Phase.OK, token, nanos(deadline));
    }

    Steps grantedForever(long at, long token) {
      return add(at, Op.ACQUIRE, Phase.OK, token, Event.NO_DEADLINE);
    }

    Steps refused(long at) {
      return add(at, Op.ACQUIRE, Phase.FAIL);
    }

    Steps looks(long at, long deadline) {
      return add(at, Op.HELD, Phase.OK, Event.NO_TOKEN, nanos(deadline));
    }

    Steps released(long begun, long done) {
      add(begun, Op.RELEASE, Phase.INVOKE);
      return add(done, Op.RELEASE, Phase.OK);
    }

    Steps releaseFoundLost(long begun, long done) {
      add(begun, Op.RELEASE, Phase.INVOKE);
      return add(done, Op.RELEASE, Phase.FAIL);
    }

    Steps releaseUnknown(long begun, long done) {
      add(begun, Op.RELEASE, Phase.INVOKE);
      return add(done, Op.RELEASE, Phase.INFO);
    }

    Steps lost(long at) {
      return add(at, Op.LOST, Phase.INFO);
    }

    Steps leaves(long at) {
      return add(at, Op.LEAVE, Phase.INVOKE);
    }

    Steps writes(long sent, long accepted, long token) {
      add(sent, Op.WRITE, Phase.INVOKE, token, Event.NO_DEADLINE);
      return add(accepted, Op.WRITE, Phase.OK, token, Event.NO_DEADLINE);
    }

    Steps writeRefused(long sent, long refused, long token) {
      add(sent, Op.WRITE, Phase.INVOKE, token, Event.NO_DEADLINE);
      return add(refused, Op.WRITE, Phase.FAIL, token, Event.NO_DEADLINE);
    }

    Steps accepted(long at, long token) {
      return add(at, Op.WRITE, Phase.OK, token, Event.NO_DEADLINE);
    }

    private Steps add(long at, Op op, Phase phase) {
      return add(at, op, phase, Event.NO_TOKEN, Event.NO_DEADLINE);
    }

    private Steps add(long at, Op op, Phase phase, long token, long deadline) {
      events.add(new Event(nanos(at), process, lock, hold, weight, op, phase, token, deadline));
      return this;
    }
  }
}
