package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Protocol;

/** Slots from the first to the last one, and who has them: an entry of CLUSTER SLOTS. */
record SlotRange(int first, int last, Server master) {

  private static final int MASTER = 2;

  /**
   * Reads the answer to CLUSTER SLOTS.
   *
   * @param asked the server that answered: a server without an address of its own is on that host
   * @throws IllegalArgumentException when it is none
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
    // A server that does not know its name, or is told not to say it.
    return host.isEmpty() || host.equals("?") ? asked.host() : host;
  }
}
