package io.holdfast.redis.layout;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The names of all keys. They begin with <code>{hf:</code>.
 *
 * <p>All keys of a resource carry the hash tag of its bucket, so that one server has them and no
 * name can choose which.
 *
 * <pre>
 * {hf:1a2}                 the bucket: token counter, generations, run id, quarantine
 * {hf:1a2}:l:NS:NAME       the resource itself: a string without an order, a hash with one
 * {hf:1a2}:w:NS:NAME       waiters without an order        {hf:1a2}:i:NS:NAME  their details
 * {hf:1a2}:n:NS:NAME       present while there are waiters without an order
 * {hf:1a2}:q:NS:NAME       waiters of a line, in order     {hf:1a2}:e:NS:NAME  their lease ends
 * {hf:1a2}:h:NS:NAME       holders of a line
 * {hf:1a2}:x:TICKET        a ticket that must not come back
 * {hf:1a2}:c:NS:NAME       a counter
 * {hf:1a2}:f:NS:NAME       a fence record
 *
 * At each master of Redlock:
 * {hf:1a2}:b:redlock       the bucket: highest ballot, generations, run id
 * {hf:1a2}:r:NS:NAME       the holder
 * {hf:1a2}:p:NS:NAME       the latest waiter
 * {hf:1a2}:y:TICKET        up to which ballot a ticket must not come back
 * </pre>
 */
public final class Keys {

  /** What every key and channel begins with. */
  public static final String PREFIX = "{hf:";

  /** The number of buckets. */
  public static final int BUCKETS = 4096;

  private static final byte[] REDLOCK_RECORD = "redlock".getBytes(StandardCharsets.US_ASCII);
  private static final byte[][] TAGS = tags();

  private Keys() {}

  /** Returns the bucket of a path: the low 12 bits of the CRC-32 of {@code NS:NAME}. */
  public static int bucket(byte[] path) {
    CRC32 crc = new CRC32();
    crc.update(path, 0, path.length);
    return (int) crc.getValue() & (BUCKETS - 1);
  }

  /** Returns the path of a resource: {@code NS:NAME}; no namespace has a colon. */
  public static byte[] path(Resource resource) {
    return (resource.namespace() + ':' + resource.name()).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the hash tag with its braces, which is also the key of the bucket's record. */
  public static byte[] tag(int bucket) {
    return TAGS[bucket];
  }

  /** Returns the hash tag as text, for channels. */
  public static String tagText(int bucket) {
    return new String(TAGS[bucket], StandardCharsets.US_ASCII);
  }

  /** Returns the key of one part of a path. */
  public static byte[] key(int bucket, char part, byte[] path) {
    byte[] tag = TAGS[bucket];
    byte[] key = new byte[tag.length + 3 + path.length];
    System.arraycopy(tag, 0, key, 0, tag.length);
    key[tag.length] = ':';
    key[tag.length + 1] = (byte) part;
    key[tag.length + 2] = ':';
    System.arraycopy(path, 0, key, tag.length + 3, path.length);
    return key;
  }

  /** Returns the keys of a ticket without an order; see {@code layout/any-keys.lua}. */
  public static List<byte[]> ofAny(Ticket ticket) {
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

  /** Returns the keys of one attempt among several; see {@code verbs/attempt-many.lua}. */
  public static List<byte[]> ofCombinedAttempt(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(
        key(bucket, 'l', path), gone(bucket, ticket), tag(bucket), key(bucket, 'n', path));
  }

  /** Returns the keys of one leave among several; see {@code verbs/leave-many.lua}. */
  public static List<byte[]> ofCombinedLeave(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    return List.of(key(bucket, 'l', path), key(bucket, 'n', path));
  }

  /** Returns the keys of a ticket in a line; see {@code layout/line-keys.lua}. */
  public static List<byte[]> ofLine(Ticket ticket) {
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

  /** Returns all keys of a resource, with and without an order; see {@code layout/all-keys.lua}. */
  public static List<byte[]> ofResource(Resource resource) {
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

  /** Returns the keys of a ticket at a master of Redlock; see {@code redlock/redlock-keys.lua}. */
  public static List<byte[]> ofRedlock(Ticket ticket) {
    byte[] path = path(ticket.resource());
    int bucket = bucket(path);
    byte[] id = ticket.id().encoded().getBytes(StandardCharsets.US_ASCII);
    return List.of(
        key(bucket, 'r', path),
        key(bucket, 'p', path),
        key(bucket, 'b', REDLOCK_RECORD),
        key(bucket, 'y', id));
  }

  /** Returns the key of a counter. */
  public static byte[] ofCounter(Resource name) {
    byte[] path = path(name);
    return key(bucket(path), 'c', path);
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
