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

/** Which fault the next verb meets: what was scripted, else the cut line, else chance. */
final class FaultPlan {

  private static final Fault[] BY_CHANCE = {
    Fault.NOT_DONE, Fault.LOST_REQUEST, Fault.LOST_REPLY, Fault.DOUBLED, Fault.LATE
  };

  private record Scripted(@Nullable VerbKind kind, Fault fault) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Scripted> script = new ArrayDeque<>();
  private final Set<String> cutNames = new HashSet<>();
  private boolean cut;
  private double rate;
  private @Nullable SplittableRandom random;

  /** One verb of this kind, or of any kind, meets this fault. */
  void add(@Nullable VerbKind kind, Fault fault) {
    locked(() -> script.add(new Scripted(kind, fault)));
  }

  void cut(boolean now) {
    locked(() -> cut = now);
  }

  void cut(String name, boolean now) {
    locked(() -> now ? cutNames.add(name) : cutNames.remove(name));
  }

  void byChance(long seed, double share) {
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

  Fault next(Verb verb) {
    return locked(() -> choose(verb));
  }

  private Fault choose(Verb verb) {
    VerbKind kind = VerbKind.of(verb);
    for (Iterator<Scripted> all = script.iterator(); all.hasNext(); ) {
      Scripted scripted = all.next();
      if (scripted.kind == null || scripted.kind == kind) {
        all.remove();
        return scripted.fault;
      }
    }
    if (cut || cutNames.contains(verb.ticket().resource().name())) {
      return Fault.NOT_DONE;
    }
    if (random == null || random.nextDouble() >= rate) {
      return Fault.NONE;
    }
    Fault fault = BY_CHANCE[random.nextInt(BY_CHANCE.length)];
    // A late resize would undo a later one: no runtime sends two of them without an answer between.
    return fault == Fault.LATE && kind == VerbKind.RESIZE ? Fault.LOST_REQUEST : fault;
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
