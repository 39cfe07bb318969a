package io.holdfast.redis.admin;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.layout.Keys;
import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;

/** Declares that buckets without a record have never granted anything, for the strict profile. */
public final class StoreInitializer {

  private static final int AT_ONCE = 256;
  private static final Script INIT =
      Script.granting("layout/incarnation", "admin/init").withRunId();

  private StoreInitializer() {}

  /** Writes the missing records and returns how many there were. Blocks for I/O. */
  public static int init(ServerTopology topology) throws EngineException {
    int missing = 0;
    try (LaneConnection connection = topology.connect()) {
      for (int from = 0; from < Keys.BUCKETS; from += AT_ONCE) {
        for (ScriptReply reply : connection.run(calls(from))) {
          missing += (int) ReplyWords.of(reply).number(0);
        }
      }
    }
    return missing;
  }

  private static List<ScriptCall> calls(int from) {
    List<ScriptCall> calls = new ArrayList<>(AT_ONCE);
    for (int bucket = from; bucket < from + AT_ONCE; bucket++) {
      calls.add(ScriptCall.acknowledged(INIT, List.of(Keys.tag(bucket))));
    }
    return calls;
  }
}
