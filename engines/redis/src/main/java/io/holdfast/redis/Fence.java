package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Nil;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Script;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the fence scripts. What they answer begins with K passed, S stale, F foreign, E failed. */
final class Fence implements AutoCloseable {

  private final Runner runner;
  private final int minReplicas;

  /**
   * A fence.
   *
   * @param minReplicas how many replicas must have a claim
   */
  Fence(Runner runner, int minReplicas) {
    this.runner = runner;
    this.minReplicas = minReplicas;
  }

  String address() {
    return runner.address();
  }

  Words check(byte[] fence, Claimant claimant) throws EngineException {
    Script script = claimant.exclusive() ? Scripts.FENCE_CLAIM : Scripts.FENCE_ADMIT;
    return run(new Call(script, List.of(fence), claimant.args(), claimant.exclusive()));
  }

  Words write(byte[] fence, Claimant claimant, GuardedWrite write) throws EngineException {
    Script script =
        Scripts.FENCE_WRITE.then(
            "guarded write", "return guarded(function(KEYS, ARGV)\n" + write.lua() + "\nend)\n");
    List<byte[]> keys = new ArrayList<>();
    keys.add(fence);
    write.keys().forEach(key -> keys.add(key.getBytes(StandardCharsets.UTF_8)));
    List<byte[]> args = claimant.args();
    write.args().forEach(arg -> args.add(arg.getBytes(StandardCharsets.UTF_8)));
    return run(new Call(script, keys, args, true));
  }

  private Words run(Call call) throws EngineException {
    Reply reply = runner.run(call);
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    Reply.Value value = (Reply.Value) reply;
    if (value.replicas() != Reply.NOT_ASKED && value.replicas() < minReplicas) {
      throw new EngineException.Unknown(
          runner.address()
              + " is not safely replicated: fewer than "
              + minReplicas
              + " replicas confirmed the claim in time; check them, or lower minReplicas",
          null);
    }
    return Words.of(value.value());
  }

  /** What a program's script returned, in types of Java. */
  static @Nullable Object result(Words words) {
    return words.parts().size() < 2 ? null : plain(words.parts().get(1));
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>(list.size());
      for (Object each : list) {
        all.add(plain(each));
      }
      return all;
    }
    return value == Nil.NIL ? null : value;
  }

  @Override
  public void close() {
    runner.close();
  }
}
