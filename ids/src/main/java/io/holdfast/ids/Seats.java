package io.holdfast.ids;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.World;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.Optional;

/**
 * Leases worker numbers, and reserves time for them.
 *
 * <p>Why two generators never make the same id: an id is a worker number and a time, and the time
 * of a number is given out by a counter of the store, in microseconds, each once. Whoever leases
 * the number next gets time behind all that was reserved before, however its clock stands; if that
 * is too far ahead of its clock, it passes the number over. The lease keeps two living generators
 * from using up the time of one number together.
 */
final class Seats {

  private final Holdfast holdfast;
  private final Counter counter;
  private final World world;
  private final String name;
  private final TimelineOptions options;

  Seats(Holdfast holdfast, Counter counter, World world, String name, TimelineOptions options) {
    this.holdfast = holdfast;
    this.counter = counter;
    this.world = world;
    this.name = name;
    this.options = options;
  }

  /** A number that is free, with time from now on. Blocks for a few trips to the store. */
  Seat take() {
    int workers = options.layout().workers();
    boolean any = options.worker().isEmpty();
    // A random place to begin: those that start together do not all ask for the same numbers.
    int first =
        any ? (int) Math.floorMod(world.secret(), (long) workers) : options.worker().getAsInt();
    long ahead = 0;
    for (int i = 0; i < (any ? workers : 1); i++) {
      int worker = (first + i) % workers;
      Optional<Hold> hold = lock(worker);
      if (hold.isPresent()) {
        Seat seat = sit(worker, hold.get());
        long early = seat.endMicros() - world.epochMicros() - options.layout().tickMicros();
        if (early <= Times.micros(options.tolerance())) {
          return extended(seat);
        }
        leave(seat, seat.fromMicros());
        ahead = Math.max(ahead, early);
      }
    }
    throw none(ahead);
  }

  private Optional<Hold> lock(int worker) {
    try {
      return holdfast.lock(prefix() + worker).tryAcquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IdsUnavailableException("interrupted while leasing a worker number" + about(), e);
    } catch (HoldfastException e) {
      throw new IdsUnavailableException(
          "no worker number" + about() + ": the store could not be asked", e);
    }
  }

  /** One tick is enough to see where the reserved time of the number stands. */
  private Seat sit(int worker, Hold hold) {
    Resource resource = new Resource(holdfast.options().namespace(), prefix() + worker);
    long tick = options.layout().tickMicros();
    try {
      long from = take(resource, tick);
      return new Seat(worker, hold, resource, options.layout(), new Seat.Span(from, from + tick));
    } catch (RuntimeException e) {
      hold.release();
      throw e;
    }
  }

  private Seat extended(Seat seat) {
    try {
      more(seat).ifPresent(seat::add);
      return seat;
    } catch (RuntimeException e) {
      free(seat);
      throw e;
    }
  }

  private static void free(Seat seat) {
    Object ignored = seat.hold.release();
  }

  /**
   * Reserves time until a window from now. Blocks for a trip to the store, if there is something to
   * reserve; after a call whose answer was lost for one more.
   *
   * @return the time that was reserved, which the seat does not have yet; empty if it has enough
   * @throws IdsUnavailableException when none could be reserved; the seat says whether that is
   *     because it was {@linkplain Seat#isOvertaken() overtaken}
   */
  Optional<Seat.Span> more(Seat seat) {
    long window = Times.micros(options.window());
    // If the clock is far beyond the end, the floor sees to it that the new time begins there.
    long missing = Math.min(window, world.epochMicros() + window - seat.endMicros());
    if (missing <= 0) {
      return Optional.empty();
    }
    long end = seat.endMicros();
    if (!seat.isInDoubt()) {
      return Optional.of(reserve(seat, end, missing));
    }
    // The least that can be asked for, to see where the time stands: if that answer is lost too,
    // and the next ones, the time of the number does not run away from the clock.
    Seat.Span least = reserve(seat, end, 1);
    Seat.Span rest = reserve(seat, least.until(), missing);
    return Optional.of(
        rest.from() == least.until() ? new Seat.Span(least.from(), rest.until()) : rest);
  }

  /** Time that begins at the end of what there is, or, behind a gap, not far from now. */
  private Seat.Span reserve(Seat seat, long end, long micros) {
    seat.asked();
    long from = take(seat.counter, micros);
    long early = from - world.epochMicros();
    if (from != end && early > Times.micros(options.tolerance())) {
      seat.overtaken();
      giveBack(seat, from, from + micros);
      throw new IdsUnavailableException(
          "the time of worker number "
              + seat.worker
              + about()
              + " is reserved until "
              + early / 1000
              + " ms from now, by somebody else or by a call whose answer was lost",
          null);
    }
    seat.answered();
    return new Seat.Span(from, from + micros);
  }

  private long take(Resource resource, long micros) {
    try {
      long floor = Math.max(0, world.epochMicros());
      return counter.take(new Counter.Ask(resource, micros, floor, false));
    } catch (EngineException e) {
      throw new IdsUnavailableException("no time could be reserved" + about(), e);
    }
  }

  /** Gives back the time from then on, if the store can be told, and the number. */
  void leave(Seat seat, long fromMicros) {
    try {
      if (seat.isHeld() && fromMicros < seat.endMicros()) {
        giveBack(seat, fromMicros, seat.endMicros());
      }
    } finally {
      free(seat);
    }
  }

  private void giveBack(Seat seat, long from, long end) {
    try {
      boolean ignored = counter.giveBack(seat.counter, from, end);
    } catch (EngineException e) {
      // Whoever has this number next begins later then.
      return;
    }
  }

  private String prefix() {
    return "ids/" + name + "/worker/";
  }

  private String about() {
    return " for \"" + name + "\" at " + holdfast.traits().store();
  }

  private IdsUnavailableException none(long aheadMicros) {
    String taken =
        options.worker().isPresent()
            ? "worker number " + options.worker().getAsInt() + " is taken"
            : "all " + options.layout().workers() + " worker numbers are taken";
    return IdsUnavailableException.noWorker(
        aheadMicros == 0
            ? taken
                + about()
                + ": stop a generator, wait until the lease of a dead one has ended (withWorkerWait),"
                + " or use a layout with more worker bits"
            : "no worker number"
                + about()
                + " can be used by this clock: the time that was reserved for one that is free is "
                + aheadMicros / 1000
                + " ms ahead of it. Set the clock right");
  }
}
