package io.holdfast.ids.internal;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.World;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.TimelineOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.Optional;

/**
 * Leases worker numbers and reserves time for them.
 *
 * <p>Why two generators never make the same id: an id is a worker number and a time, and a counter
 * in the store gives out each microsecond of a number once. The next generator that leases the
 * number gets time behind all that was reserved before, whatever its clock shows; if that is too
 * far ahead of its clock, it skips the number. The lease keeps two live generators from using up
 * the time of one number together.
 */
final class WorkerLeases {

  private final Holdfast holdfast;
  private final Counter counter;
  private final World world;
  private final String name;
  private final TimelineOptions options;

  WorkerLeases(
      Holdfast holdfast, Counter counter, World world, String name, TimelineOptions options) {
    this.holdfast = holdfast;
    this.counter = counter;
    this.world = world;
    this.name = name;
    this.options = options;
  }

  /** Leases a free number with time from now on. Blocks for a few round trips. */
  WorkerLease take() {
    int workers = options.layout().workers();
    boolean any = options.worker().isEmpty();
    // A random start: generators that start together do not all try the same numbers.
    int first =
        any ? (int) Math.floorMod(world.secret(), (long) workers) : options.worker().getAsInt();
    long ahead = 0;
    for (int i = 0; i < (any ? workers : 1); i++) {
      int worker = (first + i) % workers;
      Optional<Hold> hold = lock(worker);
      if (hold.isPresent()) {
        WorkerLease lease = start(worker, hold.get());
        long early =
            lease.endMicros() - world.epochMicros() - LayoutMath.tickMicros(options.layout());
        if (early <= DurationChecks.micros(options.tolerance())) {
          return extended(lease);
        }
        leave(lease, lease.fromMicros());
        ahead = Math.max(ahead, early);
      }
    }
    throw noneFree(ahead);
  }

  private Optional<Hold> lock(int worker) {
    try {
      return holdfast.lock(prefix() + worker).tryAcquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException("interrupted while leasing a worker number" + about(), e);
    } catch (HoldfastException e) {
      throw new IdsUnavailableException(
          "no worker number" + about() + ": the store did not reply", e);
    }
  }

  /** Reserves one tick, which shows the end of the reserved time of the number. */
  private WorkerLease start(int worker, Hold hold) {
    Resource resource = new Resource(holdfast.options().namespace(), prefix() + worker);
    long tick = LayoutMath.tickMicros(options.layout());
    try {
      long from = take(resource, tick);
      return new WorkerLease(
          worker, hold, resource, options.layout(), new WorkerLease.Span(from, from + tick));
    } catch (RuntimeException e) {
      hold.release();
      throw e;
    }
  }

  private WorkerLease extended(WorkerLease lease) {
    try {
      more(lease).ifPresent(lease::add);
      return lease;
    } catch (RuntimeException e) {
      free(lease);
      throw e;
    }
  }

  private static void free(WorkerLease lease) {
    Object ignored = lease.hold.release();
  }

  /**
   * Reserves time until a window from now. Blocks for one round trip if there is something to
   * reserve, and for one more after a call without a reply.
   *
   * @return the reserved time, which the lease does not contain yet; empty if it has enough
   * @throws IdsUnavailableException if none could be reserved; {@link WorkerLease#isOvertaken()}
   *     tells whether that is because the lease was overtaken
   */
  Optional<WorkerLease.Span> more(WorkerLease lease) {
    long window = DurationChecks.micros(options.window());
    // If the clock is far beyond the end, the floor lets the new time begin at the clock.
    long missing = Math.min(window, world.epochMicros() + window - lease.endMicros());
    if (missing <= 0) {
      return Optional.empty();
    }
    long end = lease.endMicros();
    if (!lease.isInDoubt()) {
      return Optional.of(reserve(lease, end, missing));
    }
    // The smallest request shows the end of the reserved time: if its reply is lost too, and the
    // next ones, the time of the number does not run ahead of the clock.
    WorkerLease.Span least = reserve(lease, end, 1);
    WorkerLease.Span rest = reserve(lease, least.until(), missing);
    return Optional.of(
        rest.from() == least.until() ? new WorkerLease.Span(least.from(), rest.until()) : rest);
  }

  /** Reserves time that begins at the end of the lease, or, after a gap, not far from now. */
  private WorkerLease.Span reserve(WorkerLease lease, long end, long micros) {
    lease.requested();
    long from = take(lease.counter, micros);
    long early = from - world.epochMicros();
    if (from != end && early > DurationChecks.micros(options.tolerance())) {
      lease.markOvertaken();
      giveBack(lease, from, from + micros);
      throw new IdsUnavailableException(
          "the time of worker number "
              + lease.worker
              + about()
              + " is reserved until "
              + early / 1000
              + " ms from now, by another generator or by a call without a reply",
          null);
    }
    lease.replied();
    return new WorkerLease.Span(from, from + micros);
  }

  private long take(Resource resource, long micros) {
    try {
      long floor = Math.max(0, world.epochMicros());
      return counter.take(new Counter.Ask(resource, micros, floor, false));
    } catch (EngineException e) {
      throw new IdsUnavailableException("no time could be reserved" + about(), e);
    }
  }

  /** Gives back the time from then on, if the store is reachable, and the number. */
  void leave(WorkerLease lease, long fromMicros) {
    try {
      if (lease.isHeld() && fromMicros < lease.endMicros()) {
        giveBack(lease, fromMicros, lease.endMicros());
      }
    } finally {
      free(lease);
    }
  }

  private void giveBack(WorkerLease lease, long from, long end) {
    try {
      boolean ignored = counter.giveBack(lease.counter, from, end);
    } catch (EngineException e) {
      // The next generator with this number begins later.
      return;
    }
  }

  private String prefix() {
    return "ids/" + name + "/worker/";
  }

  private String about() {
    return " for \"" + name + "\" at " + holdfast.traits().store();
  }

  private NoFreeWorkerException noneFree(long aheadMicros) {
    String taken =
        options.worker().isPresent()
            ? "worker number " + options.worker().getAsInt() + " is taken"
            : "all " + options.layout().workers() + " worker numbers are taken";
    return new NoFreeWorkerException(
        aheadMicros == 0
            ? taken
                + about()
                + ": stop a generator, wait until the lease of a dead one has ended (withWorkerWait),"
                + " or use a layout with more worker bits"
            : "no worker number"
                + about()
                + " can be used with this clock: it is "
                + aheadMicros / 1000
                + " ms behind the reserved time of a free number; correct the clock");
  }
}
