package io.holdfast.runtime.lane;

import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The lanes of a blocking engine.
 *
 * <p>Some serve all callers; one is reserved for leaves and renewals, so that a stuck attempt never
 * costs a hold.
 */
final class Lanes implements Lane {

  private final List<LaneThread> open = new ArrayList<>();
  private final LaneThread reserved;
  private final int queueLimit;

  private Lanes(LockEngine engine, HoldfastOptions options, Duration shortestLease, World world) {
    EngineTraits traits = engine.traits();
    int lanes = options.lanes() == 0 ? traits.lanes() : options.lanes();
    long timeout = options.operationTimeout().toNanos();
    LaneWatchdog watch = new LaneWatchdog(world);
    for (int i = 1; i <= lanes; i++) {
      open.add(new LaneThread(engine, world, watch, "holdfast-lane-" + i, timeout));
    }
    reserved =
        new LaneThread(
            engine,
            world,
            watch,
            "holdfast-lane-reserved",
            timeout,
            verb -> reservedTimeout(verb.ticket().lease().toNanos()));
    watch.limit(reservedTimeout(shortestLease.toNanos()));
    queueLimit = options.queueLimit();
  }

  static Lanes open(LockEngine engine, HoldfastOptions options, World world) {
    Lanes lanes = new Lanes(engine, options, options.lease(), world);
    lanes.allowFor(options.lease().toNanos());
    return lanes;
  }

  static Lanes shared(
      LockEngine engine, HoldfastOptions options, Duration shortestLease, World world) {
    return new Lanes(engine, options, shortestLease, world);
  }

  @Override
  public void onReplaced(Replaced listener) {
    open.forEach(lane -> lane.onReplaced(listener));
    reserved.onReplaced(listener);
  }

  @Override
  public void allowFor(long lease) {
    reserved.limit(reservedTimeout(lease));
  }

  /** At most a sixth of the lease. */
  static long reservedTimeout(long lease) {
    return lease / 6;
  }

  @Override
  public void submit(Verb verb) {
    laneOf(verb).submit(verb);
  }

  private LaneThread laneOf(Verb verb) {
    if (verb instanceof Verb.Renew || verb instanceof Verb.Leave || verb instanceof Verb.Settle) {
      return reserved;
    }
    int hash = verb.ticket().resource().hashCode();
    return open.get(Math.floorMod(hash ^ (hash >>> 16), open.size()));
  }

  @Override
  public boolean withdraw(Verb verb) {
    return laneOf(verb).withdraw(verb);
  }

  @Override
  public boolean isFull() {
    int queued = 0;
    for (LaneThread lane : open) {
      queued += lane.queued();
    }
    return queued >= queueLimit;
  }

  @Override
  public void close() {
    open.forEach(LaneThread::close);
    reserved.close();
  }
}
