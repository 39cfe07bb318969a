package io.holdfast.redis.faults;

import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32;

/** What of ours is in a server: all but the records of the buckets, which stay. */
final class StoredKeys {

  private StoredKeys() {}

  /** Of resources and of tickets that have left. */
  static List<String> all(RedisServer server) {
    return server.call("KEYS", "{hf:*}:*").lines().sorted().toList();
  }

  /** Of resources: who holds and who waits. */
  static List<String> ofLocks(RedisServer server) {
    return all(server).stream().filter(key -> !key.contains("}:x:")).toList();
  }

  /** The key of a mutex that is held or of a line that is there. */
  static String ofLock(RedisServer server, String name) {
    return ofLocks(server).stream()
        .filter(key -> key.contains("}:l:") && key.endsWith(":" + name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no key for " + name + " in " + all(server)));
  }

  static void awaitNone(RedisServer server, Duration bound) {
    Await.until("no keys of ours: " + all(server), bound, () -> all(server).isEmpty());
  }

  /** Only tickets that have left are remembered, and not for longer than their lease. */
  static void requireOnlyTombstones(RedisServer server, Duration lease) {
    for (String key : all(server)) {
      long left = Long.parseLong(server.call("PTTL", key));
      boolean gone = left == -2;
      if (!gone && (!key.contains("}:x:") || left < 0 || left > lease.toMillis())) {
        throw new AssertionError("left in the store: " + key + " for " + left + " ms");
      }
    }
  }

  static void awaitNoLocks(RedisServer server, Duration bound) {
    Await.until("no locks: " + ofLocks(server), bound, () -> ofLocks(server).isEmpty());
  }

  /** How many keys there are of one part, such as {@code l} for locks. */
  static long count(RedisServer server, String part) {
    return server.call("KEYS", "{hf:*}:" + part + ":*").lines().count();
  }

  /** How many wait in the line of a name. */
  static int inLine(RedisServer server, String lineKey) {
    return Integer.parseInt(server.call("ZCARD", lineKey.replace("}:l:", "}:q:")));
  }

  /** The tag of a name of the default namespace, as the layout is documented. */
  static String tag(String name) {
    CRC32 crc = new CRC32();
    crc.update(("default:" + name).getBytes(StandardCharsets.UTF_8));
    return "{hf:%03x}".formatted(crc.getValue() & 4095);
  }
}
