package io.holdfast.redis;

import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Wire;
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
 * Finds names by going through all keys of the masters in steps. Keeps no more names than are asked
 * for, however many there are. What stood there during all of the time is found; what came or went
 * meanwhile may be or not.
 */
final class NameScan {

  private static final byte[] SCAN = ascii("SCAN");
  private static final byte[] MATCH = ascii("MATCH");
  private static final byte[] COUNT = ascii("COUNT");
  private static final byte[] STEP = ascii("1000");
  private static final byte[] START = ascii("0");
  private static final String GLOB = "*?[]\\";

  private final String namespace;
  private final byte[] prefix;

  NameScan(String namespace, String prefix) {
    this.namespace = namespace;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  /** The first resources after that name, in the order of their names' bytes. */
  List<Resource> first(List<Wire> masters, String after, int limit) throws EngineException {
    NavigableMap<byte[], Resource> first = new TreeMap<>(Arrays::compareUnsigned);
    byte[] from = after.getBytes(StandardCharsets.UTF_8);
    for (Wire master : masters) {
      byte[] cursor = START;
      do {
        cursor = step(master, cursor, from, limit, first);
      } while (!Arrays.equals(cursor, START));
    }
    return List.copyOf(first.values());
  }

  private byte[] step(
      Wire master, byte[] cursor, byte[] after, int limit, NavigableMap<byte[], Resource> first)
      throws EngineException {
    Reply reply = master.command(SCAN, cursor, MATCH, pattern(), COUNT, STEP);
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    List<?> parts = Words.of(((Reply.Value) reply).value()).parts();
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

  /** Waiters too: between two holders there may be nothing but them. */
  private byte[] pattern() {
    ByteArrayOutputStream pattern = new ByteArrayOutputStream();
    pattern.writeBytes(ascii(Layout.PREFIX + "???}:[lw]:" + namespace + ':'));
    for (byte b : prefix) {
      if (GLOB.indexOf(b) >= 0) {
        pattern.write('\\');
      }
      pattern.write(b);
    }
    pattern.write('*');
    return pattern.toByteArray();
  }

  /** What a key stands for; nothing if it cannot be one of ours. */
  private Optional<Resource> resource(byte[] key) {
    int from = Layout.tag(0).length + ":l:".length() + namespace.length() + 1;
    if (key.length <= from) {
      return Optional.empty();
    }
    try {
      ByteBuffer name = ByteBuffer.wrap(key, from, key.length - from);
      Resource found =
          new Resource(namespace, StandardCharsets.UTF_8.newDecoder().decode(name).toString());
      byte[] path = Layout.path(found);
      byte[] tag = Layout.tag(Layout.bucket(path));
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
