package io.holdfast.etcd.session;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of this client: key, lease, and until when each was asked to be kept.
 *
 * <p>The store keeps a ticket as long as the client's lease. A ticket that was not renewed in its
 * own time is removed by its client, together with the next verb.
 *
 * <p>An expired ticket is never renewed again: from the moment that it is chosen for removal, its
 * renewals report that it is gone, though it may still be in the store.
 */
public final class TicketTable {

  /**
   * A ticket in the store.
   *
   * @param revision at which it joined; 0 if it is not known whether it did
   * @param lease that it is attached to
   * @param in whether it was reported to be in
   * @param end when it is removed unless a verb asks for it again
   * @param validUntil when the store may end it at the earliest, as counted when it was last kept
   */
  public record Entry(
      Ticket.Id id,
      ByteString key,
      long revision,
      long lease,
      boolean in,
      int ahead,
      long end,
      long validUntil) {

    /** A ticket that may be in the store under that key. */
    static Entry doubtful(Ticket.Id id, ByteString key) {
      return new Entry(id, key, 0, 0, false, 0, 0, 0);
    }

    /** Whether it is not known if the ticket is in the store. */
    public boolean isDoubtful() {
      return revision == 0;
    }

    private Entry until(long newEnd) {
      return new Entry(id, key, revision, lease, in, ahead, newEnd, validUntil);
    }
  }

  /** So many leases a waiter may be silent before it is removed. */
  private static final int PATIENCE = 4;

  private final Map<Ticket.Id, Entry> entries = new HashMap<>();

  /** Tickets whose time is over, until they are removed. */
  private final Map<Ticket.Id, Entry> expired = new HashMap<>();

  /** Expired tickets that could not be removed yet. */
  private final List<Entry> late = new ArrayList<>();

  /** How many verbs of a ticket are in progress. */
  private final Map<Ticket.Id, Integer> busy = new HashMap<>();

  /** Tickets that may be in the store in a way that is not known here. */
  private final Set<Ticket.Id> doubtful = new HashSet<>();

  private final KeyPool keyPool = new KeyPool();

  /** By the time that each has: within each, the first to end comes first. */
  private final Map<Duration, LinkedHashMap<Ticket.Id, Entry>> byEnd = new HashMap<>();

  private final LongSupplier nanoTime;

  /** An empty table. */
  public TicketTable(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A verb begins: until {@link #end} its ticket is not removed. */
  public synchronized void begin(Ticket.Id id) {
    busy.merge(id, 1, Integer::sum);
  }

  /** A verb has ended. */
  public synchronized void end(Ticket.Id id) {
    busy.computeIfPresent(id, (ticket, times) -> times == 1 ? null : times - 1);
    releaseKey(id);
  }

  /** A verb of the key of a ticket begins: until {@link #end} this is its key. */
  public synchronized ByteString begin(Ticket ticket, Keys keys) {
    begin(ticket.id());
    return keyPool.of(ticket, keys);
  }

  /** Whether the ticket has a key of this engine: if not, another engine may have joined it. */
  public synchronized boolean hasKey(Ticket.Id id) {
    return keyPool.find(id) != null;
  }

  /** The ticket has a key that another engine has made. */
  public synchronized void adopt(Ticket ticket, Keys keys, ByteString key) {
    keyPool.adopt(ticket, keys, key);
  }

  /** Whether a ticket of this engine has that key. */
  public synchronized boolean hasMade(ByteString key) {
    return keyPool.has(key);
  }

  /** See {@link KeyPool#knownUpTo}. */
  public synchronized long knownUpTo(Ticket.Id id, Keys keys) {
    return keyPool.knownUpTo(id, keys);
  }

  /** See {@link KeyPool#know}. */
  public synchronized void know(Ticket.Id id, Keys keys, long revision) {
    keyPool.know(id, keys, revision);
  }

  /** A verb of the ticket failed: if its outcome is unknown, no other ticket gets its key. */
  public synchronized void failed(Ticket.Id id, EngineException why) {
    boolean clear =
        why instanceof EngineException.NotDone || why instanceof EngineException.Refused;
    if (!clear) {
      doubt(id);
    }
  }

  /**
   * The ticket may be in the store, now or later: until {@link #gone}, or until no verb has asked
   * for it for some leases and its key is deleted.
   */
  public synchronized void doubt(Ticket.Id id) {
    doubtful.add(id);
    keyPool.startNewSeries();
    if (!entries.containsKey(id) && !expired.containsKey(id)) {
      removeLater(id);
    }
  }

  /*
   * Why a doubtful ticket may be forgotten: its key belongs to a series that was closed when the doubt
   * began, so no ticket takes it again. From the moment that the key is chosen for removal, the
   * ticket does not have it either; if it comes again, it gets another key. So this client does not
   * rely on what is under the old key, and may delete it without reading it, early or late. Another
   * engine that has found the ticket there relies on it from the moment that it has attached it to a
   * lease of its own: so the key is deleted only under leases of this client.
   */
  private void removeLater(Ticket.Id id) {
    ByteString key = keyPool.find(id);
    if (key == null) {
      doubtful.remove(id);
    } else {
      Duration time = keyPool.lease(id).multipliedBy(PATIENCE);
      forget(id);
      byEnd
          .computeIfAbsent(time, l -> new LinkedHashMap<>())
          .put(id, Entry.doubtful(id, key).until(nanoTime.getAsLong() + time.toNanos()));
    }
  }

  /** Another ticket is under this ticket's key: its next verb gets another key. */
  public synchronized void changeKey(Ticket.Id id) {
    forget(id);
    keyPool.release(id);
    keyPool.startNewSeries();
  }

  private void releaseKey(Ticket.Id id) {
    boolean stays =
        busy.containsKey(id)
            || entries.containsKey(id)
            || expired.containsKey(id)
            || doubtful.contains(id);
    if (!stays) {
      keyPool.release(id);
    }
  }

  /**
   * The ticket with its remaining time, if that is more than its lease: it is in for that long
   * already, and its end never comes nearer, as its holder may not receive the reply.
   */
  public synchronized Ticket withRemainingLease(Ticket ticket) {
    Entry entry = entries.get(ticket.id());
    if (entry == null || !entry.in()) {
      return ticket;
    }
    Duration left = Duration.ofNanos(entry.end() - nanoTime.getAsLong());
    return left.compareTo(ticket.lease()) > 0 ? ticket.withLease(left) : ticket;
  }

  /** What is known of a ticket, if it is in line. */
  public synchronized @Nullable Entry find(Ticket.Id id) {
    return entries.get(id);
  }

  /** A ticket whose time is over, and that may still be in the store. */
  public synchronized @Nullable Entry findExpired(Ticket.Id id) {
    return expired.get(id);
  }

  /**
   * The ticket is in, and is kept from now on.
   *
   * @param validUntil when the store may end it at the earliest
   */
  public synchronized void keep(
      Ticket ticket, ByteString key, long revision, long lease, long validUntil) {
    keep(
        ticket,
        new Entry(ticket.id(), key, revision, lease, true, 0, 0, validUntil),
        ticket.lease());
  }

  /**
   * A ticket with a fixed lease that has more time left than this renewal asks for: then there is
   * nothing to keep.
   */
  public synchronized @Nullable Entry findLongerFixed(Ticket ticket) {
    Entry entry = ticket.fixed() ? entries.get(ticket.id()) : null;
    boolean longer =
        entry != null
            && entry.in()
            && entry.validUntil() - nanoTime.getAsLong() >= ticket.lease().toNanos();
    return longer ? entry : null;
  }

  /**
   * As {@link #keep}, for a waiter; returns how many tickets are ahead of it at most. It has more
   * time: many waiters of one name ask one after another, and a late one must not lose its place. A
   * dead client does not keep its lease, so its waiters end with that.
   */
  public synchronized int keepWaiting(
      Ticket ticket, ByteString key, long revision, long lease, int ahead) {
    Entry before = entries.get(ticket.id());
    int least =
        before != null && before.revision() == revision ? Math.min(before.ahead(), ahead) : ahead;
    Entry entry = new Entry(ticket.id(), key, revision, lease, false, least, 0, 0);
    keep(ticket, entry, ticket.lease().multipliedBy(PATIENCE));
    return least;
  }

  private void keep(Ticket ticket, Entry asked, Duration time) {
    forget(ticket.id());
    expired.remove(ticket.id());
    Entry entry = asked.until(nanoTime.getAsLong() + time.toNanos());
    entries.put(ticket.id(), entry);
    byEnd.computeIfAbsent(time, l -> new LinkedHashMap<>()).put(ticket.id(), entry);
  }

  private void forget(Ticket.Id id) {
    Iterator<LinkedHashMap<Ticket.Id, Entry>> all = byEnd.values().iterator();
    while (all.hasNext()) {
      LinkedHashMap<Ticket.Id, Entry> some = all.next();
      some.remove(id);
      if (some.isEmpty()) {
        all.remove();
      }
    }
  }

  /** Nothing of the ticket is in the store. */
  public synchronized void gone(Ticket.Id id) {
    forget(id);
    entries.remove(id);
    expired.remove(id);
    doubtful.remove(id);
    releaseKey(id);
  }

  /** Returns the tickets whose time is over, to be removed now; each is returned once. */
  public synchronized List<Entry> takeExpired() {
    List<Entry> due = new ArrayList<>(late);
    late.clear();
    long now = nanoTime.getAsLong();
    for (LinkedHashMap<Ticket.Id, Entry> some : byEnd.values()) {
      Iterator<Entry> oldest = some.values().iterator();
      while (oldest.hasNext()) {
        Entry entry = oldest.next();
        if (entry.end() - now > 0) {
          break;
        }
        if (!busy.containsKey(entry.id())) {
          oldest.remove();
          expire(entry);
          due.add(entry);
        }
      }
    }
    return due;
  }

  private void expire(Entry entry) {
    if (entry.isDoubtful()) {
      doubtful.remove(entry.id());
      keyPool.release(entry.id());
    } else {
      entries.remove(entry.id());
      expired.put(entry.id(), entry);
    }
  }

  /** The ticket was removed, unless it has joined again, or a request of it is under way. */
  public synchronized void removed(Entry entry) {
    if (expired.remove(entry.id(), entry) && doubtful.contains(entry.id())) {
      removeLater(entry.id());
    }
    releaseKey(entry.id());
  }

  /** The ticket could not be removed: the next verb tries again. It stays expired. */
  public synchronized void notRemoved(Entry entry) {
    if (entry.isDoubtful() || expired.containsKey(entry.id())) {
      late.add(entry);
    }
  }

  /**
   * The ticket stays in the store without this client: its key is never taken again, by any ticket.
   */
  public synchronized void leftToStore(Ticket.Id id) {
    keyPool.startNewSeries();
    gone(id);
  }

  /**
   * It is not known whether the ticket stays in the store without this client. If it does, its key
   * must not be deleted; if it does not, it is removed when its time is over, as it is attached to
   * a lease of this client then.
   */
  public synchronized void mayBeLeftToStore(Ticket.Id id) {
    keyPool.startNewSeries();
    doubtful.remove(id);
  }

  /** How many tickets are in line. */
  public synchronized int size() {
    return entries.size();
  }

  /** How many keys are in use. */
  synchronized int keysInUse() {
    return keyPool.size();
  }
}
