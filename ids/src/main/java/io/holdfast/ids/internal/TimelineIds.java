package io.holdfast.ids.internal;

import io.holdfast.World;
import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdLayout;
import io.holdfast.ids.Ids;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import io.holdfast.ids.TimelineOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A generator of time-ordered ids; see {@link Ids#timeline}. */
final class TimelineIds implements LongIds {

  /*
   * The state is one number, `last`: the tick and the sequence of the last id. An id is made by
   * raising it with one compare-and-set, so the ids of a generator are different and rise. In a
   * later tick the sequence begins at a random value, so that id % n is evenly distributed at any
   * rate. Otherwise the number grows by one, past the end of a tick if necessary: then it is ahead
   * of the clock, by at most some milliseconds, or, after the clock went back, by the tolerance.
   *
   * Ids are made only in ticks that are reserved for the worker number (WorkerLeases explains why
   * that is enough) and only while its lease is held. The lease is checked in every new tick,
   * because the host may have been suspended, and in every millisecond of the monotonic clock,
   * because the wall clock may go back or stand still while the lease ends.
   */

  private static final System.Logger LOG = System.getLogger("io.holdfast.ids");
  private static final long CLOSED = 1L << 62;
  private static final long LEAD_MICROS = 5_000;
  private static final long PAUSE_NANOS = 200_000;
  private static final long PAUSE_FOR_LEASE_NANOS = 10_000_000;
  private static final int LEAST_YEARS = 5;
  private static final int RUNS_PER_WINDOW = 3;

  private final String name;
  private final TimelineMessages messages;
  private final PeriodicTask periodic;
  private final TimelineOptions options;
  private final IdLayout layout;
  private final World world;
  private final WorkerLeaseKeeper keeper;
  private final long epochMicros;
  private final long tickMicros;
  private final int sequenceBits;
  private final long lead;
  private final long slack;
  private final long salt;
  private final AtomicLong last = new AtomicLong();

  TimelineIds(String name, TimelineOptions options, World world, WorkerLeases leases) {
    this.name = name;
    this.options = options;
    this.messages = new TimelineMessages(name, options);
    this.keeper = new WorkerLeaseKeeper(messages, world, leases, last);
    this.periodic =
        new PeriodicTask(world, options.window().toNanos() / RUNS_PER_WINDOW, keeper::keepQuietly);
    this.layout = options.layout();
    this.world = world;
    this.epochMicros = LayoutMath.microsAt(layout, 0);
    this.tickMicros = LayoutMath.tickMicros(layout);
    this.sequenceBits = layout.sequenceBits();
    this.lead = Math.max(1, LEAD_MICROS / LayoutMath.tickMicros(layout));
    this.slack =
        Math.max(lead, DurationChecks.micros(options.tolerance()) / LayoutMath.tickMicros(layout));
    this.salt = world.secret();
  }

  /** Checks the layout, also against the store, and leases a worker number. */
  static TimelineIds open(
      String name,
      TimelineOptions options,
      World world,
      WorkerLeases leases,
      IdSchemeRecord record) {
    TimelineIds ids = new TimelineIds(name, options, world, leases);
    if (!LayoutMath.lasts(options.layout(), world.epochMicros(), LEAST_YEARS)) {
      throw ids.messages.endsSoon();
    }
    record.require();
    ids.keeper.keepFirst();
    LOG.log(Level.INFO, ids.messages.started(ids.supply().detail()));
    ids.periodic.start();
    return ids;
  }

  /** The tick of the clock; as {@link LayoutMath#tickAt}, but faster. */
  private long now() {
    return Math.floorDiv(world.epochMicros() - epochMicros, tickMicros);
  }

  @Override
  public long next() {
    return take(1);
  }

  @Override
  public IdBlock block(int count) {
    if (count < 1 || count > 1L << sequenceBits) {
      throw new IllegalArgumentException(
          "count must be 1.." + (1L << sequenceBits) + " in this layout: count=" + count);
    }
    return new IdBlock(take(count), count);
  }

  private long take(int count) {
    long since = 0;
    while (true) {
      WorkerLease held = keeper.lease();
      long before = last.get();
      long now = now();
      long lastTick = before >> sequenceBits;
      long first = first(before, now, count);
      long tick = first >> sequenceBits;
      if (held == null
          || tick >= held.limit()
          || !(now > lastTick ? held.isHeld() : held.isHeldAt(world.nanoTime()))
          || tick - now > (lastTick - now > lead ? slack : lead)) {
        since = since == 0 ? world.nanoTime() : since;
        waitOrThrow(held, tick, lastTick - now, since);
      } else if (last.compareAndSet(before, first + count - 1)) {
        return LayoutMath.compose(layout, tick, held.worker, first & ((1L << sequenceBits) - 1));
      }
    }
  }

  /** Returns the first of this many numbers behind the last one, all in one tick. */
  private long first(long before, long now, int count) {
    long first = now > before >> sequenceBits ? now << sequenceBits | start(now) : before + 1;
    boolean fits = (first >> sequenceBits) == (first + count - 1) >> sequenceBits;
    if (fits) {
      return first;
    }
    return now > before >> sequenceBits
        ? now << sequenceBits
        : ((before >> sequenceBits) + 1) << sequenceBits;
  }

  private long start(long now) {
    return BitMixer.mix(salt ^ now) >>> (Long.SIZE - sequenceBits);
  }

  /** Returns when it is worth trying again, or throws. */
  private void waitOrThrow(@Nullable WorkerLease held, long tick, long behind, long since) {
    if (keeper.isClosed()) {
      throw messages.closed();
    }
    if (tick >= LayoutMath.ticks(layout)) {
      throw messages.ended();
    }
    long waited = world.nanoTime() - since;
    if (behind > slack) {
      throw messages.wentBack(behind);
    }
    if (held != null && tick < held.limit() && held.isHeld()) {
      if (waited > options.tolerance().plus(options.patience()).toNanos()) {
        throw messages.standsStill(behind);
      }
      world.park(this, PAUSE_NANOS);
    } else if (waited > options.patience().toNanos()) {
      throw messages.nothingLeft(held, keeper.failure());
    } else if (held != null && !held.isHeld() && !held.isLost()) {
      // The lease is in doubt because of the clocks; a renewal confirms or ends it.
      world.park(this, PAUSE_FOR_LEASE_NANOS);
    } else {
      keeper.keepInTime(options.patience().toNanos() - waited);
    }
  }

  @Override
  public IdFacts describe(long id) {
    return layout.describe(id);
  }

  @Override
  public Supply supply() {
    WorkerLease held = keeper.lease();
    if (keeper.isClosed()) {
      return SupplyStates.closed("the generator of ids \"" + name + "\"");
    }
    long before = last.get();
    long now = now();
    long behind = (before >> sequenceBits) - now;
    if (behind > slack) {
      return messages.down(
          "the clock is " + layout.tick().multipliedBy(behind).toMillis() + " ms behind");
    }
    if (held == null || !held.isHeld()) {
      return messages.down("the worker number is lost");
    }
    if (first(before, now, 1) >> sequenceBits >= held.limit()) {
      return messages.down("the reserved time is used up");
    }
    return supply(held);
  }

  private Supply supply(WorkerLease held) {
    long leftMicros = Math.max(0, held.endMicros() - world.epochMicros());
    Duration left = Duration.ofNanos(leftMicros * 1000);
    Duration lease = held.hold.remaining();
    List<String> warnings = new ArrayList<>();
    if (!LayoutMath.lasts(layout, world.epochMicros(), 1)) {
      warnings.add(messages.endsIn());
    }
    RuntimeException failure = keeper.failure();
    if (failure != null) {
      warnings.add(String.valueOf(failure.getMessage()));
    }
    return new Supply(
        warnings.isEmpty() ? Supply.Status.UP : Supply.Status.WARN,
        "ids \"" + name + "\" with worker number " + held.worker,
        Optional.of(left.compareTo(lease) < 0 ? left : lease),
        warnings);
  }

  @Override
  public void close() {
    periodic.stop();
    keeper.close(CLOSED);
  }
}
