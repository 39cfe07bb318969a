package io.holdfast.ids;

import io.holdfast.World;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Time-ordered ids; see {@link Ids#timeline}. */
final class TimelineIds implements LongIds {

  /*
   * All that is remembered is one number, `last`: the tick and the sequence of the last id. An id
   * is made by raising it with one compare-and-set, so ids of a generator are different and rise.
   * In a later tick the sequence begins at a random place, so that id % n is even at any pace;
   * otherwise the number goes up by one, past the end of a tick if need be: then it is ahead of the
   * clock, at most by a lead of some milliseconds, or, after the clock went back, by the tolerance.
   *
   * Ids are made only in ticks that are reserved for the worker number (Seats says why that is
   * enough) and only while its lease is held. That is looked at in every new tick, as a host may have
   * been suspended, and whenever the monotonic clock has moved by a millisecond, as the other one
   * may go back or stand still while the lease ends.
   */

  private static final System.Logger LOG = System.getLogger("io.holdfast.ids");
  private static final long CLOSED = 1L << 62;
  private static final long LEAD_MICROS = 5_000;
  private static final long PAUSE_NANOS = 200_000;
  private static final long PAUSE_FOR_LEASE_NANOS = 10_000_000;
  private static final int LEAST_YEARS = 5;
  private static final int UPKEEPS_A_WINDOW = 3;

  private final String name;
  private final TimelineTrouble words;
  private final Upkeep upkeep;
  private final TimelineOptions options;
  private final Layout layout;
  private final World world;
  private final SeatKeeper keeper;
  private final long epochMicros;
  private final long tickMicros;
  private final int sequenceBits;
  private final long lead;
  private final long slack;
  private final long salt;
  private final AtomicLong last = new AtomicLong();

  TimelineIds(String name, TimelineOptions options, World world, Seats seats) {
    this.name = name;
    this.options = options;
    this.words = new TimelineTrouble(name, options);
    this.keeper = new SeatKeeper(words, world, seats, last);
    this.upkeep = new Upkeep(world, options.window().toNanos() / UPKEEPS_A_WINDOW, keeper::keepUp);
    this.layout = options.layout();
    this.world = world;
    this.epochMicros = layout.microsAt(0);
    this.tickMicros = layout.tickMicros();
    this.sequenceBits = layout.sequenceBits();
    this.lead = Math.max(1, LEAD_MICROS / layout.tickMicros());
    this.slack = Math.max(lead, Times.micros(options.tolerance()) / layout.tickMicros());
    this.salt = world.secret();
  }

  /** Checks the layout, here and with the store, and leases a worker number. */
  static TimelineIds open(
      String name, TimelineOptions options, World world, Seats seats, PlanRecord record) {
    TimelineIds ids = new TimelineIds(name, options, world, seats);
    if (!options.layout().lasts(world.epochMicros(), LEAST_YEARS)) {
      throw ids.words.endsSoon();
    }
    record.require();
    ids.keeper.keepFirst();
    LOG.log(Level.INFO, ids.words.started(ids.supply().detail()));
    ids.upkeep.start();
    return ids;
  }

  /** The tick of the clock; as the layout has it, only quicker. */
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
      Seat held = keeper.seat();
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
        overcome(held, tick, lastTick - now, since);
      } else if (last.compareAndSet(before, first + count - 1)) {
        return layout.compose(tick, held.worker, first & ((1L << sequenceBits) - 1));
      }
    }
  }

  /** So many numbers behind the last one, all in one tick. */
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
    return Mix.mix(salt ^ now) >>> (Long.SIZE - sequenceBits);
  }

  /** Returns when it is worth trying again, or throws. */
  private void overcome(@Nullable Seat held, long tick, long behind, long since) {
    if (keeper.isClosed()) {
      throw words.closed();
    }
    if (tick >= layout.ticks()) {
      throw words.ended();
    }
    long waited = world.nanoTime() - since;
    if (behind > slack) {
      throw words.wentBack(behind);
    }
    if (held != null && tick < held.limit() && held.isHeld()) {
      if (waited > options.tolerance().plus(options.patience()).toNanos()) {
        throw words.standsStill(behind);
      }
      world.park(this, PAUSE_NANOS);
    } else if (waited > options.patience().toNanos()) {
      throw words.nothingLeft(held, keeper.trouble());
    } else if (held != null && !held.isHeld() && !held.isLost()) {
      // The clocks cast doubt on the lease; a renewal clears it, or ends it.
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
    Seat held = keeper.seat();
    if (keeper.isClosed()) {
      return Supply.closed("the generator of ids \"" + name + "\"");
    }
    long before = last.get();
    long now = now();
    long behind = (before >> sequenceBits) - now;
    if (behind > slack) {
      return words.down(
          "the clock is " + layout.tick().multipliedBy(behind).toMillis() + " ms behind");
    }
    if (held == null || !held.isHeld()) {
      return words.down("the worker number is lost");
    }
    if (first(before, now, 1) >> sequenceBits >= held.limit()) {
      return words.down("the reserved time is used up");
    }
    return supply(held);
  }

  private Supply supply(Seat held) {
    long leftMicros = Math.max(0, held.endMicros() - world.epochMicros());
    Duration left = Duration.ofNanos(leftMicros * 1000);
    Duration lease = held.hold.remaining();
    List<String> warnings = new ArrayList<>();
    if (!layout.lasts(world.epochMicros(), 1)) {
      warnings.add(words.endsIn());
    }
    RuntimeException lately = keeper.trouble();
    if (lately != null) {
      warnings.add(String.valueOf(lately.getMessage()));
    }
    return new Supply(
        warnings.isEmpty() ? Supply.Status.UP : Supply.Status.WARN,
        "ids \"" + name + "\" with worker number " + held.worker,
        Optional.of(left.compareTo(lease) < 0 ? left : lease),
        warnings);
  }

  @Override
  public void close() {
    upkeep.stop();
    keeper.close(CLOSED);
  }
}
