package io.holdfast.tck;

import io.holdfast.spi.Verb;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Chooses the fault of the next verb: scripted, else cut off, else random. */
final class FaultPlan {

  private static final VerbFault[] RANDOM_FAULTS = {
    VerbFault.NOT_DONE,
    VerbFault.LOST_REQUEST,
    VerbFault.LOST_REPLY,
    VerbFault.DOUBLED,
    VerbFault.LATE
  };

  private record Scripted(@Nullable VerbKind kind, VerbFault fault) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Scripted> script = new ArrayDeque<>();
  private final Set<String> cutNames = new HashSet<>();
  private boolean cut;
  private double rate;
  private @Nullable SplittableRandom random;

  /** Adds a fault for the next verb of this kind; null for any kind. */
  void add(@Nullable VerbKind kind, VerbFault fault) {
    locked(() -> script.add(new Scripted(kind, fault)));
  }

  void cut(boolean now) {
    locked(() -> cut = now);
  }

  void cut(String name, boolean now) {
    locked(() -> now ? cutNames.add(name) : cutNames.remove(name));
  }

  void randomly(long seed, double share) {
    locked(
        () -> {
          random = new SplittableRandom(seed);
          rate = share;
          return true;
        });
  }

  boolean isCut() {
    return locked(() -> cut);
  }

  VerbFault next(Verb verb) {
    return locked(() -> choose(verb));
  }

  private VerbFault choose(Verb verb) {
    VerbKind kind = VerbKind.of(verb);
    for (Iterator<Scripted> all = script.iterator(); all.hasNext(); ) {
      Scripted scripted = all.next();
      if (scripted.kind == null || scripted.kind == kind) {
        all.remove();
        return scripted.fault;
      }
    }
    if (cut || cutNames.contains(verb.ticket().resource().name())) {
      return VerbFault.NOT_DONE;
    }
    if (random == null || random.nextDouble() >= rate) {
      return VerbFault.NONE;
    }
    VerbFault fault = RANDOM_FAULTS[random.nextInt(RANDOM_FAULTS.length)];
    // A late resize would undo a later one; the runtime sends no second one without a reply.
    return fault == VerbFault.LATE && kind == VerbKind.RESIZE ? VerbFault.LOST_REQUEST : fault;
  }

  private <T> T locked(java.util.function.Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
