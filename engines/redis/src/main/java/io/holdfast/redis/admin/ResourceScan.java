package io.holdfast.redis.admin;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.layout.Keys;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the names of resources by scanning all keys of the masters in steps.
 *
 * <p>Keeps no more names in memory than are requested. Finds every resource that exists during the
 * whole scan; one that appears or disappears meanwhile may be missed.
 */
final class ResourceScan {

  private static final byte[] SCAN = ascii("SCAN");
  private static final byte[] MATCH = ascii("MATCH");
  private static final byte[] COUNT = ascii("COUNT");
  private static final byte[] STEP = ascii("1000");
  private static final byte[] START = ascii("0");
  private static final String GLOB = "*?[]\\";

  private final String namespace;
  private final byte[] prefix;

  ResourceScan(String namespace, String prefix) {
    this.namespace = namespace;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the first resources after a name, in the order of their names' bytes. */
  List<Resource> first(List<LaneConnection> masters, String after, int limit)
      throws EngineException {
    NavigableMap<byte[], Resource> first = new TreeMap<>(Arrays::compareUnsigned);
    byte[] from = after.getBytes(StandardCharsets.UTF_8);
    for (LaneConnection master : masters) {
      byte[] cursor = START;
      do {
        cursor = step(master, cursor, from, limit, first);
      } while (!Arrays.equals(cursor, START));
    }
    return List.copyOf(first.values());
  }

  private byte[] step(
      LaneConnection master,
      byte[] cursor,
      byte[] after,
      int limit,
      NavigableMap<byte[], Resource> first)
      throws EngineException {
    ScriptReply reply = master.command(SCAN, cursor, MATCH, pattern(), COUNT, STEP);
    List<?> parts = ReplyWords.of(reply).parts();
    for (Object key : (List<?>) parts.get(1)) {
      Optional<Resource> found = resource((byte[]) key);
      if (found.isPresent()) {
        byte[] name = found.get().name().getBytes(StandardCharsets.UTF_8);
        if (Arrays.compareUnsigned(name, after) > 0) {
          first.put(name, found.get());
        }
      }
      if (first.size() > limit) {
        first.pollLastEntry();
      }
    }
    return (byte[]) parts.get(0);
  }

  /** Matches waiters too: between two holders there may be no other key. */
  private byte[] pattern() {
    ByteArrayOutputStream pattern = new ByteArrayOutputStream();
    pattern.writeBytes(ascii(Keys.PREFIX + "???}:[lw]:" + namespace + ':'));
    for (byte b : prefix) {
      if (GLOB.indexOf(b) >= 0) {
        pattern.write('\\');
      }
      pattern.write(b);
    }
    pattern.write('*');
    return pattern.toByteArray();
  }

  /** Returns the resource of a key; empty if the key cannot be one of ours. */
  private Optional<Resource> resource(byte[] key) {
    int from = Keys.tag(0).length + ":l:".length() + namespace.length() + 1;
    if (key.length <= from) {
      return Optional.empty();
    }
    try {
      ByteBuffer name = ByteBuffer.wrap(key, from, key.length - from);
      Resource found =
          new Resource(namespace, StandardCharsets.UTF_8.newDecoder().decode(name).toString());
      byte[] path = Keys.path(found);
      byte[] tag = Keys.tag(Keys.bucket(path));
      boolean atHome = Arrays.equals(tag, Arrays.copyOf(key, tag.length));
      return atHome ? Optional.of(found) : Optional.empty();
    } catch (CharacterCodingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
