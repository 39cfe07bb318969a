package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Which master has which slot, as far as we know. Any thread may use it. */
final class Slots {

  private final AtomicReferenceArray<@Nullable Server> masters =
      new AtomicReferenceArray<>(Protocol.CLUSTER_HASHSLOTS);

  static int of(byte[] key) {
    return JedisClusterCRC16.getSlot(key);
  }

  static int of(String key) {
    return of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Null: nobody that we know of. */
  @Nullable Server master(int slot) {
    return masters.get(slot);
  }

  void learn(int slot, Server master) {
    masters.set(slot, master);
  }

  /** Takes over a whole map; slots that are not in it have no master. */
  void learn(List<SlotRange> ranges) {
    @Nullable Server[] all = new Server[Protocol.CLUSTER_HASHSLOTS];
    for (SlotRange range : ranges) {
      for (int slot = range.first(); slot <= range.last(); slot++) {
        all[slot] = range.master();
      }
    }
    for (int slot = 0; slot < all.length; slot++) {
      masters.set(slot, all[slot]);
    }
  }

  /** All masters that have a slot. */
  List<Server> masters() {
    return IntStream.range(0, masters.length())
        .mapToObj(masters::get)
        .filter(server -> server != null)
        .distinct()
        .toList();
  }
}
