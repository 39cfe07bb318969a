package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Script;
import io.holdfast.redis.wire.Wire;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;

/** Tells servers that have never granted anything so, for the strict profile. */
final class FreshStart {

  private static final int AT_ONCE = 256;
  private static final Script INIT = Script.load(FreshStart.class, true, "", "reign", "init");

  private FreshStart() {}

  /** Answers how many buckets had no record. */
  static int declare(Wiring wiring) throws EngineException {
    int fresh = 0;
    try (Wire wire = wiring.connect()) {
      for (int from = 0; from < Layout.BUCKETS; from += AT_ONCE) {
        for (Reply reply : wire.run(calls(from))) {
          fresh += count(reply);
        }
      }
    }
    return fresh;
  }

  private static List<Call> calls(int from) {
    List<Call> calls = new ArrayList<>(AT_ONCE);
    for (int bucket = from; bucket < from + AT_ONCE; bucket++) {
      calls.add(new Call(INIT, List.of(Layout.tag(bucket)), List.of(), true));
    }
    return calls;
  }

  private static int count(Reply reply) throws EngineException {
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    return (int) Words.of(((Reply.Value) reply).value()).number(0);
  }
}
