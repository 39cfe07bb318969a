package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engine over the connection of one lane: a batch is one trip. */
final class RedisLane implements BatchEngine {

  private static final long SHORTEST_RESERVE_MILLIS = RedisEngine.RESERVE.toMillis();
  private static final long LONGEST_RESERVE_MILLIS = 200;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final RedisEngine engine;
  private final Wire wire;
  private final Calls calls;
  private final Completion completion;
  private final Packing packing;

  /** Set for good when the server would not do several verbs in one call. */
  private boolean apart;

  /** How long trips take, smoothed: one that is far away needs its resource kept for longer. */
  private long tripNanos;

  RedisLane(RedisEngine engine, Wire wire, Calls calls, Packing packing, Completion completion) {
    this.engine = engine;
    this.wire = wire;
    this.calls = calls;
    this.packing = packing;
    this.completion = completion;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb> asked = new ArrayList<>(batch.size());
    for (Verb verb : batch) {
      if (!verb.isComplete() && completion.mayAsk(verb)) {
        asked.add(verb);
      }
    }
    if (asked.isEmpty()) {
      return;
    }
    long reserve = reserveMillis();
    List<Verb> again = trip(apart ? packing.apart(asked, reserve) : packing.pack(asked, reserve));
    // Whoever was told meanwhile that the lane is late has its answer.
    again.removeIf(Verb::isComplete);
    if (!again.isEmpty()) {
      trip(packing.apart(again, reserve));
    }
  }

  /** One trip; answers the verbs that are still to be asked, each by itself. */
  private List<Verb> trip(List<Parcel> parcels) {
    List<Call> sent = new ArrayList<>(parcels.size());
    parcels.forEach(parcel -> sent.add(parcel.call()));
    long start = engine.nanoTime();
    List<Unconfirmed> unconfirmed = new ArrayList<>();
    List<Verb> again = new ArrayList<>();
    wire.run(
        sent,
        (i, reply) -> {
          Parcel parcel = parcels.get(i);
          if (!parcel.isOfOne()) {
            completeAll(parcel, reply, again);
          } else {
            completion.complete(parcel.verbs().get(0), reply).ifPresent(unconfirmed::add);
          }
        });
    tripNanos += (engine.nanoTime() - start - tripNanos) / 8;
    completion.undo(unconfirmed, wire, calls);
    return again;
  }

  private void completeAll(Parcel parcel, Reply reply, List<Verb> again) {
    apart |= Parcel.isRefused(reply);
    List<Optional<Reply>> each = parcel.replies(reply);
    for (int i = 0; i < each.size(); i++) {
      Verb verb = parcel.verbs().get(i);
      each.get(i)
          .ifPresentOrElse(answer -> completion.complete(verb, answer), () -> again.add(verb));
    }
  }

  private long reserveMillis() {
    long needed = SHORTEST_RESERVE_MILLIS + 3 * tripNanos / NANOS_A_MILLI;
    return Math.min(LONGEST_RESERVE_MILLIS, needed);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  /** May come from another thread, to break off a trip that takes too long. */
  @Override
  public void close() {
    wire.close();
  }

  /** Whether a shape can be resized to. */
  static boolean isSize(Shape shape) {
    return shape.kind() == Shape.Kind.SEMAPHORE && shape.capacity() != Shape.ADOPT;
  }
}
