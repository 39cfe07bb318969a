package io.holdfast.memory;

import io.holdfast.spi.Ticket;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tickets in the order in which they were added, found by their id, with the sum of their weights.
 * Guarded by the lock of the line.
 */
final class Entries implements Iterable<Entry> {

  private final LinkedHashMap<Ticket.Id, Entry> byId = new LinkedHashMap<>();
  private long weight;

  /**
   * No entry expires before this. A lower bound, so that a renewal need not look for the next one:
   * when it is reached, one walk over all makes it exact again.
   */
  private long soonest;

  @Nullable Entry find(Ticket.Id id) {
    return byId.isEmpty() ? null : byId.get(id);
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  int size() {
    return byId.size();
  }

  /** The sum of the weights. */
  long weight() {
    return weight;
  }

  /** The one that was added first, if there is any. */
  @Nullable Entry first() {
    return byId.isEmpty() ? null : byId.values().iterator().next();
  }

  @Override
  public Iterator<Entry> iterator() {
    return byId.values().iterator();
  }

  void add(Entry entry) {
    byId.put(entry.ticket.id(), entry);
    weight += entry.weight;
    noteExpiry(entry.expiry);
  }

  void remove(Entry entry) {
    byId.remove(entry.ticket.id());
    weight -= entry.weight;
  }

  void clear() {
    byId.clear();
    weight = 0;
  }

  /** Gives an entry more time to live; it never gets less than it has. */
  void keep(Entry entry, long expiry) {
    if (expiry - entry.expiry > 0) {
      entry.expiry = expiry;
      noteExpiry(expiry);
    }
  }

  /** Gives an entry another weight. */
  void resize(Entry entry, int changed) {
    weight += changed - entry.weight;
    entry.weight = changed;
  }

  /** How long from now nobody of these expires; more than 0 after {@link #dropExpired}. */
  long untilSoonest(long now) {
    return soonest - now;
  }

  /** Takes out everyone whose lease has ended; whether there was one. */
  boolean dropExpired(long now) {
    return !byId.isEmpty() && soonest - now <= 0 && sweep(now);
  }

  private boolean sweep(long now) {
    int before = byId.size();
    long next = Long.MAX_VALUE;
    for (Iterator<Entry> all = byId.values().iterator(); all.hasNext(); ) {
      Entry entry = all.next();
      long left = entry.expiry - now;
      if (left <= 0) {
        all.remove();
        weight -= entry.weight;
      } else {
        next = Math.min(next, left);
      }
    }
    soonest = now + next;
    return byId.size() < before;
  }

  private void noteExpiry(long expiry) {
    if (byId.size() == 1 || expiry - soonest < 0) {
      soonest = expiry;
    }
  }
}
