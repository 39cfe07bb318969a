package io.holdfast.etcd;

import com.google.protobuf.ByteString;
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
 * The keys that this client's tickets hang on: few for each line, and used again. Whenever etcd
 * looks at a range it walks over all keys that were deleted there since the last compaction, so a
 * new key for each ticket would make a name slower with every time that it was taken.
 *
 * <p>For one thread at a time.
 */
final class Pegs {

  /*
   * Why no late transaction of one ticket can meet the next one on its peg: a peg is given back
   * only when all transactions that name it were answered. When an answer stayed out, all pegs that
   * are taken from then on are of another series; those of the old one are given back and never
   * taken again. A series is named after its first ticket, so no other client has it, after this
   * engine, as another may have the same ticket first, and counted: the same ticket may be the first
   * of the next one.
   *
   * A ticket may come to this engine that another one has joined, and must not join twice. All keys
   * of a client's tickets in a line begin with the client, so one comparison in the transaction that
   * joins sees whether there are any that were made after a certain revision. Up to that revision
   * this engine has made all of them itself, so that it knows which tickets they are of.
   */

  /**
   * A key that a ticket has.
   *
   * @param line of one series
   * @param client the tickets of that client in that line
   * @param number in its series; negative for a key that another engine has made
   */
  private record Peg(String line, String client, int number, ByteString key, Duration lease) {}

  /** How many tickets of a client this engine has in a line, and up to when it knows all. */
  private record Known(int tickets, long revision) {}

  private static final int ADOPTED = -1;

  /** Beyond so many clients their series begin anew. */
  private static final int MOST = 1_000;

  private final Map<Ticket.Id, Peg> taken = new HashMap<>();
  private final Map<String, BitSet> numbers = new HashMap<>();
  private final Set<ByteString> keysTaken = new HashSet<>();
  private final Map<String, String> series = new HashMap<>();
  private final Map<String, Known> known = new HashMap<>();
  private final String engine = Long.toHexString(new SecureRandom().nextLong());
  private long count;

  /** The key of a ticket: the one that it has, or the first that is free. */
  ByteString of(Ticket ticket, Keys keys) {
    return taken.computeIfAbsent(ticket.id(), id -> take(ticket, keys)).key();
  }

  private Peg take(Ticket ticket, Keys keys) {
    if (series.size() >= MOST) {
      series.clear();
    }
    String name =
        series.computeIfAbsent(
            Keys.clientOf(ticket.id()),
            client -> ticket.id().encoded() + '-' + engine + '-' + ++count);
    String line = keys.peg(name);
    BitSet used = numbers.computeIfAbsent(line, l -> new BitSet());
    int number = used.nextClearBit(0);
    used.set(number);
    return taken(
        new Peg(
            line,
            keys.client(ticket.id()),
            number,
            ByteString.copyFromUtf8(line + '-' + number),
            ticket.lease()));
  }

  private Peg taken(Peg peg) {
    keysTaken.add(peg.key());
    known.merge(
        peg.client(), new Known(1, 0), (all, one) -> new Known(all.tickets + 1, all.revision));
    return peg;
  }

  /** The ticket hangs on that key, which another engine has made. */
  void adopt(Ticket ticket, Keys keys, ByteString key) {
    giveBack(ticket.id());
    taken.put(
        ticket.id(), taken(new Peg("", keys.client(ticket.id()), ADOPTED, key, ticket.lease())));
  }

  /**
   * Up to which revision all tickets of this client in the line are this engine's; 0 if none are
   * known.
   */
  long knownUpTo(Ticket.Id id, Keys keys) {
    Known all = known.get(keys.client(id));
    return all == null ? 0 : all.revision;
  }

  /** All tickets of this client in the line were this engine's at that revision; 0: not all. */
  void know(Ticket.Id id, Keys keys, long revision) {
    known.computeIfPresent(
        keys.client(id),
        (client, all) ->
            new Known(all.tickets, revision == 0 ? 0 : Math.max(all.revision, revision)));
  }

  /** The key that a ticket has, if it has one. */
  @Nullable ByteString find(Ticket.Id id) {
    Peg peg = taken.get(id);
    return peg == null ? null : peg.key();
  }

  /** Whether a ticket has that key. */
  boolean has(ByteString key) {
    return keysTaken.contains(key);
  }

  /** The lease that a ticket with a key asked for when it took that. */
  Duration lease(Ticket.Id id) {
    Peg peg = taken.get(id);
    return peg == null ? Duration.ZERO : peg.lease();
  }

  /** The ticket is done: its key is free. */
  void giveBack(Ticket.Id id) {
    Peg peg = taken.remove(id);
    if (peg != null) {
      keysTaken.remove(peg.key());
      known.computeIfPresent(
          peg.client(),
          (client, all) -> all.tickets == 1 ? null : new Known(all.tickets - 1, all.revision));
      numbers.computeIfPresent(
          peg.line(),
          (line, used) -> {
            used.clear(peg.number());
            return used.isEmpty() ? null : used;
          });
    }
  }

  /** An answer stayed out: no key of before is taken again. */
  void startAnew() {
    series.clear();
  }

  /** How many are taken. */
  int size() {
    return taken.size();
  }
}
