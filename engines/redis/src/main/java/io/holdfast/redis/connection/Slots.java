package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The known master of each slot. Thread-safe. */
final class Slots {

  private final AtomicReferenceArray<@Nullable Server> masters =
      new AtomicReferenceArray<>(Protocol.CLUSTER_HASHSLOTS);

  static int of(byte[] key) {
    return JedisClusterCRC16.getSlot(key);
  }

  static int of(String key) {
    return of(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the master of a slot, or null if it is not known. */
  @Nullable Server master(int slot) {
    return masters.get(slot);
  }

  void learn(int slot, Server master) {
    masters.set(slot, master);
  }

  /** Replaces the whole map; slots that are not in it have no master. */
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

  /** Returns all masters that have a slot. */
  List<Server> masters() {
    return IntStream.range(0, masters.length())
        .mapToObj(masters::get)
        .filter(server -> server != null)
        .distinct()
        .toList();
  }

  /** A range of slots and its master: an entry of CLUSTER SLOTS. */
  record SlotRange(int first, int last, Server master) {

    private static final int MASTER = 2;

    /**
     * Parses the reply to CLUSTER SLOTS.
     *
     * @param asked the server that replied: a server without an address of its own is on that host
     * @throws IllegalArgumentException if it is no such reply
     */
    static List<SlotRange> parse(Object answer, Server asked) {
      List<SlotRange> ranges = new ArrayList<>();
      if (!(answer instanceof List<?> entries)) {
        throw new IllegalArgumentException("not a map of slots");
      }
      for (Object entry : entries) {
        if (entry instanceof List<?> parts
            && parts.size() > MASTER
            && parts.get(0) instanceof Long first
            && parts.get(1) instanceof Long last
            && last < Protocol.CLUSTER_HASHSLOTS
            && parts.get(MASTER) instanceof List<?> node
            && node.size() > 1
            && node.get(1) instanceof Long port) {
          Server master = new Server(host(node, asked), port.intValue());
          ranges.add(new SlotRange(first.intValue(), last.intValue(), master));
        } else {
          throw new IllegalArgumentException("not a map of slots");
        }
      }
      return ranges;
    }

    private static String host(List<?> node, Server asked) {
      String host =
          node.get(0) instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "";
      // A server that does not know its name, or is configured not to report it.
      return host.isEmpty() || host.equals("?") ? asked.host() : host;
    }
  }
}
