package io.holdfast.etcd.session;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.spi.Ticket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of this client's tickets: a few slots for each line, used again and again.
 *
 * <p>When etcd reads a range, it walks over all keys that were deleted there since the last
 * compaction. So a new key for each ticket would make a name slower with every acquire.
 *
 * <p>For one thread at a time.
 */
final class KeyPool {

  /*
   * Why no late transaction of one ticket can meet the next ticket in its slot: a slot is released
   * only after the replies to all transactions that name it. After a missing reply, all slots that are
   * taken belong to a new series; slots of the old one are released and never taken again. A series
   * is named after its first ticket, so no other client has it; after this engine, as another engine
   * may have the same ticket first; and it is numbered, as the same ticket may be the first of the
   * next series.
   *
   * This engine may get a ticket that another engine has joined, and must not join it twice. All keys
   * of a client's tickets in a line start with the client, so one comparison in the joining
   * transaction shows whether any of them was created after a certain revision. Up to that revision
   * this engine has made all of them itself, and knows which tickets they belong to.
   */

  /**
   * A key that a ticket has.
   *
   * @param line of one series of slots
   * @param client how the keys of that client's tickets in the line start
   * @param number in its series; negative for a key that another engine has made
   */
  private record Slot(String line, String client, int number, ByteString key, Duration lease) {}

  /** How many tickets of a client this engine has in a line, and up to when it knows all. */
  private record Known(int tickets, long revision) {}

  private static final int ADOPTED = -1;

  /** With more clients than this, new series begin. */
  private static final int MOST = 1_000;

  private final Map<Ticket.Id, Slot> taken = new HashMap<>();
  private final Map<String, BitSet> numbers = new HashMap<>();
  private final Set<ByteString> keysTaken = new HashSet<>();
  private final Map<String, String> series = new HashMap<>();
  private final Map<String, Known> known = new HashMap<>();
  private final String engine = Long.toHexString(new SecureRandom().nextLong());
  private long count;

  /** The key of a ticket: the one it has, or the first free one. */
  ByteString of(Ticket ticket, Keys keys) {
    return taken.computeIfAbsent(ticket.id(), id -> take(ticket, keys)).key();
  }

  private Slot take(Ticket ticket, Keys keys) {
    if (series.size() >= MOST) {
      series.clear();
    }
    String name =
        series.computeIfAbsent(
            Keys.clientOf(ticket.id()),
            client -> ticket.id().encoded() + '-' + engine + '-' + ++count);
    String line = keys.slots(name);
    BitSet used = numbers.computeIfAbsent(line, l -> new BitSet());
    int number = used.nextClearBit(0);
    used.set(number);
    return taken(
        new Slot(
            line,
            keys.client(ticket.id()),
            number,
            ByteString.copyFromUtf8(line + '-' + number),
            ticket.lease()));
  }

  private Slot taken(Slot slot) {
    keysTaken.add(slot.key());
    known.merge(
        slot.client(), new Known(1, 0), (all, one) -> new Known(all.tickets + 1, all.revision));
    return slot;
  }

  /** The ticket has that key, which another engine has made. */
  void adopt(Ticket ticket, Keys keys, ByteString key) {
    release(ticket.id());
    taken.put(
        ticket.id(), taken(new Slot("", keys.client(ticket.id()), ADOPTED, key, ticket.lease())));
  }

  /**
   * Returns up to which revision all tickets of this client in the line are this engine's; 0 if
   * none are known.
   */
  long knownUpTo(Ticket.Id id, Keys keys) {
    Known all = known.get(keys.client(id));
    return all == null ? 0 : all.revision;
  }

  /** Records that at that revision all tickets of this client in the line were this engine's. */
  void know(Ticket.Id id, Keys keys, long revision) {
    known.computeIfPresent(
        keys.client(id),
        (client, all) ->
            new Known(all.tickets, revision == 0 ? 0 : Math.max(all.revision, revision)));
  }

  /** The key that a ticket has, if it has one. */
  @Nullable ByteString find(Ticket.Id id) {
    Slot slot = taken.get(id);
    return slot == null ? null : slot.key();
  }

  /** Whether a ticket has that key. */
  boolean has(ByteString key) {
    return keysTaken.contains(key);
  }

  /** The lease that a ticket with a key asked for when it took that. */
  Duration lease(Ticket.Id id) {
    Slot slot = taken.get(id);
    return slot == null ? Duration.ZERO : slot.lease();
  }

  /** The ticket is gone: its key is free. */
  void release(Ticket.Id id) {
    Slot slot = taken.remove(id);
    if (slot != null) {
      keysTaken.remove(slot.key());
      known.computeIfPresent(
          slot.client(),
          (client, all) -> all.tickets == 1 ? null : new Known(all.tickets - 1, all.revision));
      numbers.computeIfPresent(
          slot.line(),
          (line, used) -> {
            used.clear(slot.number());
            return used.isEmpty() ? null : used;
          });
    }
  }

  /** A reply is missing: none of the present keys is taken again. */
  void startNewSeries() {
    series.clear();
  }

  /** How many keys are taken. */
  int size() {
    return taken.size();
  }
}
