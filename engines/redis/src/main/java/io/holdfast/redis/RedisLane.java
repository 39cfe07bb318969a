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

/** The engine over the connection of one lane: a batch is one trip. */
final class RedisLane implements BatchEngine {

  private static final long SHORTEST_RESERVE_MILLIS = RedisEngine.RESERVE.toMillis();
  private static final long LONGEST_RESERVE_MILLIS = 200;
  private static final long NANOS_A_MILLI = 1_000_000;

  private final RedisEngine engine;
  private final Wire wire;
  private final Calls calls;
  private final Completion completion;

  /** How long trips take, smoothed: one that is far away needs its resource kept for longer. */
  private long tripNanos;

  RedisLane(RedisEngine engine, Wire wire, Calls calls, Completion completion) {
    this.engine = engine;
    this.wire = wire;
    this.calls = calls;
    this.completion = completion;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb> asked = new ArrayList<>(batch.size());
    List<Call> sent = new ArrayList<>(batch.size());
    for (Verb verb : batch) {
      if (!verb.isComplete() && completion.mayAsk(verb)) {
        asked.add(verb);
        sent.add(calls.of(verb, reserveMillis()));
      }
    }
    if (asked.isEmpty()) {
      return;
    }
    long start = engine.nanoTime();
    List<Reply> replies = wire.run(sent);
    tripNanos += (engine.nanoTime() - start - tripNanos) / 8;
    List<Verb> unsafe = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      if (!completion.complete(asked.get(i), replies.get(i))) {
        unsafe.add(asked.get(i));
      }
    }
    completion.undo(unsafe, wire, calls);
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
