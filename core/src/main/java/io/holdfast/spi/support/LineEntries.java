package io.holdfast.spi.support;

import io.holdfast.spi.Ticket;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The holders or the waiters of a line, in order of arrival, by id. */
final class LineEntries implements Iterable<LineEntry> {

  /** The first capacity of the map: most lines have one holder and no waiter. */
  private static final int FEW = 4;

  /** Null until the first entry is added. */
  private @Nullable LinkedHashMap<Ticket.Id, LineEntry> byId;

  private long weight;

  /**
   * No entry expires before this. A lower bound, so that a renewal need not look for the next one:
   * when it is reached, one walk over all entries makes it exact again.
   */
  private long soonest;

  @Nullable LineEntry find(Ticket.Id id) {
    LinkedHashMap<Ticket.Id, LineEntry> map = byId;
    return map == null || map.isEmpty() ? null : map.get(id);
  }

  boolean isEmpty() {
    return byId == null || byId.isEmpty();
  }

  int size() {
    return byId == null ? 0 : byId.size();
  }

  /** Returns the sum of the weights. */
  long weight() {
    return weight;
  }

  /** Returns the entry that was added first, or null if there is none. */
  @Nullable LineEntry first() {
    LinkedHashMap<Ticket.Id, LineEntry> map = byId;
    return map == null || map.isEmpty() ? null : map.values().iterator().next();
  }

  @Override
  public Iterator<LineEntry> iterator() {
    return byId == null ? Collections.emptyIterator() : byId.values().iterator();
  }

  void add(LineEntry entry) {
    LinkedHashMap<Ticket.Id, LineEntry> map = byId;
    if (map == null) {
      map = new LinkedHashMap<>(FEW);
      byId = map;
    }
    map.put(entry.id, entry);
    weight += entry.weight;
    noteExpiry(entry.expiry);
  }

  void remove(LineEntry entry) {
    if (byId != null && byId.remove(entry.id) != null) {
      weight -= entry.weight;
    }
  }

  void clear() {
    byId = null;
    weight = 0;
  }

  /**
   * Keeps an entry for another lease; it never ends earlier than before. A reply may be lost or
   * late, and then the holder believes in the longer lease that it was given.
   *
   * <p>An expiry that is further ahead than its own lease is cut: the clock went back, as clocks of
   * stores may, and no holder believes in that expiry.
   */
  void keep(LineEntry entry, long now, long asked) {
    long left = Math.min(entry.expiry - now, entry.lease);
    if (asked >= left) {
      left = asked;
      entry.lease = asked;
    }
    long expiry = now + left;
    if (expiry != entry.expiry) {
      entry.expiry = expiry;
      noteExpiry(expiry);
    }
  }

  /** Gives an entry a smaller weight. */
  void shrink(LineEntry entry, int smaller) {
    weight += smaller - entry.weight;
    entry.weight = smaller;
  }

  /** Returns for how long no entry expires; more than 0 after {@link #dropExpired}. */
  long untilSoonest(long now) {
    return soonest - now;
  }

  /** Removes every entry whose lease has ended, and returns whether there was one. */
  boolean dropExpired(long now) {
    return !isEmpty() && soonest - now <= 0 && sweep(now);
  }

  private boolean sweep(long now) {
    int before = size();
    long next = Long.MAX_VALUE;
    for (Iterator<LineEntry> all = iterator(); all.hasNext(); ) {
      LineEntry entry = all.next();
      long left = entry.expiry - now;
      if (left <= 0) {
        all.remove();
        weight -= entry.weight;
      } else {
        next = Math.min(next, left);
      }
    }
    soonest = now + next;
    return size() < before;
  }

  private void noteExpiry(long expiry) {
    if (size() == 1 || expiry - soonest < 0) {
      soonest = expiry;
    }
  }
}
