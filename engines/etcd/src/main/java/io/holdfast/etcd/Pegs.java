package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
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
   * taken again. A series is named after its first ticket, so no other client has it, and
   * counted: the same ticket may be the first of the next one.
   */

  private record Peg(String line, int number, ByteString key, Duration lease) {}

  private final Map<Ticket.Id, Peg> taken = new HashMap<>();
  private final Map<String, BitSet> numbers = new HashMap<>();
  private @Nullable String series;
  private long count;

  /** The key of a ticket: the one that it has, or the first that is free. */
  ByteString of(Ticket ticket, Keys keys) {
    return taken.computeIfAbsent(ticket.id(), id -> take(ticket, keys)).key();
  }

  private Peg take(Ticket ticket, Keys keys) {
    String name = series;
    if (name == null) {
      name = ticket.id().encoded() + '-' + ++count;
      series = name;
    }
    String line = keys.peg(name);
    BitSet used = numbers.computeIfAbsent(line, l -> new BitSet());
    int number = used.nextClearBit(0);
    used.set(number);
    return new Peg(line, number, ByteString.copyFromUtf8(line + '-' + number), ticket.lease());
  }

  /** The key that a ticket has, if it has one. */
  @Nullable ByteString find(Ticket.Id id) {
    Peg peg = taken.get(id);
    return peg == null ? null : peg.key();
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
    series = null;
  }

  /** How many are taken. */
  int size() {
    return taken.size();
  }
}
