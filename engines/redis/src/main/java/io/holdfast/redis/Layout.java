package io.holdfast.redis;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The names of our keys. All begin with <code>{hf:</code>; all keys of a resource carry the tag of
 * its bucket, so that one server has them and no name can choose which.
 *
 * <pre>
 * {hf:1a2}                 the bucket: token counter, generations, run id, quarantine
 * {hf:1a2}:l:NS:NAME       the resource itself: string without an order, hash with one
 * {hf:1a2}:w:NS:NAME       who waits, without an order     {hf:1a2}:i:NS:NAME  about them
 * {hf:1a2}:n:NS:NAME       that somebody waits
 * {hf:1a2}:q:NS:NAME       who waits, in order             {hf:1a2}:e:NS:NAME  until when
 * {hf:1a2}:h:NS:NAME       who is in, of a line
 * {hf:1a2}:x:TICKET        a ticket that must not come back
 * {hf:1a2}:c:NS:NAME       a counter
 * </pre>
 */
final class Layout {

  /** What every key and channel begins with. */
  static final String PREFIX = "{hf:";

  static final int BUCKETS = 4096;

  private static final byte[][] TAGS = tags();

  private Layout() {}

  /** The bucket of a resource: the low 12 bits of the CRC-32 of {@code NS:NAME}. */
  static int bucket(byte[] path) {
    CRC32 crc = new CRC32();
    crc.update(path, 0, path.length);
    return (int) crc.getValue() & (BUCKETS - 1);
  }

  /** {@code NS:NAME}; no namespace has a colon. */
  static byte[] path(Resource resource) {
    return (resource.namespace() + ':' + resource.name()).getBytes(StandardCharsets.UTF_8);
  }

  /** The tag with its braces, which is also the key of the bucket's record. */
  static byte[] tag(int bucket) {
    return TAGS[bucket];
  }

  /** The tag as text, for channels. */
  static String tagText(int bucket) {
    return new String(TAGS[bucket], StandardCharsets.US_ASCII);
  }

  static byte[] key(int bucket, char part, byte[] path) {
    byte[] tag = TAGS[bucket];
    byte[] key = new byte[tag.length + 3 + path.length];
    System.arraycopy(tag, 0, key, 0, tag.length);
    key[tag.length] = ':';
    key[tag.length + 1] = (byte) part;
    key[tag.length + 2] = ':';
    System.arraycopy(path, 0, key, tag.length + 3, path.length);
    return key;
  }

  /** The keys of a ticket whose resource keeps no order; see {@code any-keys.lua}. */
  static List<byte[]> anyKeys(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(
        key(bucket, 'l', path),
        gone(bucket, ticket),
        tag(bucket),
        key(bucket, 'n', path),
        key(bucket, 'w', path),
        key(bucket, 'i', path));
  }

  /** The keys of one attempt among several; see {@code quick-attempts.lua}. */
  static List<byte[]> quickKeys(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(
        key(bucket, 'l', path), gone(bucket, ticket), tag(bucket), key(bucket, 'n', path));
  }

  /** The keys of one leave among several; see {@code quick-leaves.lua}. */
  static List<byte[]> leaveKeys(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(key(bucket, 'l', path), key(bucket, 'n', path));
  }

  /** The keys of a ticket that stands in a line; see {@code line-keys.lua}. */
  static List<byte[]> lineKeys(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(
        key(bucket, 'l', path),
        key(bucket, 'q', path),
        key(bucket, 'h', path),
        key(bucket, 'e', path),
        tag(bucket),
        gone(bucket, ticket),
        key(bucket, 'w', path),
        key(bucket, 'i', path));
  }

  /** All keys of a resource, whether it keeps an order or not; see {@code inspect-keys.lua}. */
  static List<byte[]> allKeys(Resource resource) {
    byte[] path = path(resource);
    int bucket = bucket(path);
    return List.of(
        key(bucket, 'l', path),
        key(bucket, 'w', path),
        key(bucket, 'i', path),
        key(bucket, 'q', path),
        key(bucket, 'h', path),
        key(bucket, 'e', path),
        tag(bucket),
        key(bucket, 'n', path));
  }

  private static byte[] gone(int bucket, Ticket ticket) {
    return key(bucket, 'x', ticket.id().encoded().getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[][] tags() {
    byte[][] tags = new byte[BUCKETS][];
    for (int i = 0; i < BUCKETS; i++) {
      tags[i] = String.format("%s%03x}", PREFIX, i).getBytes(StandardCharsets.US_ASCII);
    }
    return tags;
  }
}
