package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.wire.Armed;
import io.holdfast.etcd.wire.Watched;
import io.holdfast.etcd.wire.Watches;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the last look has shown of each ticket that is in and was renewed, for as long as it is so.
 * Its line is watched from then on: as long as nothing happens there, a renewal need not look
 * again. Watches that are lost count as something that happened.
 *
 * <p>They are over a stream of their own: who waits does not wait behind ten thousand who hold.
 * What the server is to watch it is told when the verbs of a batch have their answers, a few new
 * ones each time: where very many come to be held at once, that must not be what costs them their
 * time.
 *
 * <p>Safe for any number of threads.
 */
final class Looks implements AutoCloseable {

  /*
   * Why a renewal that does not look makes nobody believe for longer: what a holder believes is
   * counted from when the lease was kept, and only if a transaction of the same term has confirmed
   * it; a renewal that finds the lease kept a moment ago does not keep it again, whether it looks
   * or not. The look adds only that the key is there, and who waits. While the lease lasts a key
   * goes only by the hand of an operator, who changes, deletes or evicts it.
   *
   * So an event that is not heard of costs no more than that: such words reach the holder late, and
   * its client does not know that it is wanted. The turn finds them: with the renewal that keeps the
   * lease those are looked at that nobody has looked at for longest. Where others keep the lease all
   * the time, the turn comes by itself.
   *
   * What breaks it: a watch that stays silent while the lease is kept, for as long as the turn
   * takes to come round. That is a third of the lease at most for each fifty that are held.
   */

  /** What a look has shown of a ticket: where it joined, what it hangs on, whether others wait. */
  record Last(Ticket ticket, ByteString key, long revision, long lease, boolean wanted) {}

  /** To be watched since that revision of the store; or not any more, if nothing is shown. */
  private record Change(@Nullable Last shown, long revision) {

    static final Change NO_MORE = new Change(null, 0);
  }

  /** So many watches are begun with one batch of verbs. */
  private static final int FEW = 20;

  /** The turn comes after this part of a lease, if it has not come before. */
  private static final int TURN = 3;

  private final Watches watches;
  private final LongSupplier nanoTime;

  /** Whom nobody has looked at for longest comes first. */
  private final Map<Ticket.Id, Last> last = new LinkedHashMap<>();

  private final Map<Ticket.Id, Change> untold = new LinkedHashMap<>();
  private final ReentrantLock telling = new ReentrantLock();
  private long turned;

  /** Nobody else watches with these. */
  Looks(Watches watches, LongSupplier nanoTime) {
    this.watches = watches;
    this.nanoTime = nanoTime;
    this.turned = nanoTime.getAsLong();
  }

  /**
   * Whether a renewal of such a ticket may do without a look. That of a permit also keeps the head
   * of its line; and a fixed lease is not renewed but extended.
   */
  static boolean mayBeQuiet(Ticket ticket) {
    return ticket.shape().kind() != Shape.Kind.SEMAPHORE && !ticket.fixed();
  }

  /** A look has shown this, at that revision of the store. */
  synchronized void looked(Last shown, long revision) {
    untold.put(shown.ticket().id(), new Change(shown, revision));
  }

  /** What the last look has shown, if nothing has happened to the line since. */
  @Nullable Last unchanged(Ticket.Id id) {
    if (!watches.isQuiet(id)) {
      return null;
    }
    synchronized (this) {
      return last.get(id);
    }
  }

  /** It is not as that look has shown it, unless another has since. */
  synchronized void differs(Last shown) {
    Ticket.Id id = shown.ticket().id();
    if (shown.equals(last.get(id)) && !untold.containsKey(id)) {
      forget(id);
    }
  }

  /** Whatever is known of it does not count any more, and its line need not be watched. */
  synchronized void forget(Ticket.Id id) {
    boolean known = last.remove(id) != null;
    boolean toBe = untold.remove(id) != null;
    if (known || toBe) {
      untold.put(id, Change.NO_MORE);
    }
  }

  /**
   * Whose turn it is: those whom nobody has looked at for longest. They are the last then.
   *
   * @param most how many may be chosen
   * @param now whether to choose any before it is time
   */
  synchronized List<Last> turn(int most, boolean now) {
    Iterator<Last> longest = last.values().iterator();
    List<Last> chosen = new ArrayList<>();
    if (!now && !isTimeForTurn()) {
      return chosen;
    }
    turned = nanoTime.getAsLong();
    while (chosen.size() < most && longest.hasNext()) {
      chosen.add(longest.next());
      longest.remove();
    }
    chosen.forEach(shown -> last.put(shown.ticket().id(), shown));
    return chosen;
  }

  private boolean isTimeForTurn() {
    long since = nanoTime.getAsLong() - turned;
    return last.values().stream()
        .limit(1)
        .anyMatch(shown -> since >= shown.ticket().lease().toNanos() / TURN);
  }

  /** Tells the server what to watch, and what no more. May block for I/O, to log in. */
  void tell() {
    // One at a time, so that what was said last of a ticket counts. Whoever does it says it for
    // all.
    while (hasUntold() && telling.tryLock()) {
      try {
        tell(changes());
      } finally {
        telling.unlock();
      }
    }
  }

  private synchronized boolean hasUntold() {
    return !untold.isEmpty();
  }

  /** What is to be said now. Of those beyond the few, the next look decides again. */
  private synchronized Map<Ticket.Id, Change> changes() {
    Map<Ticket.Id, Change> now = new LinkedHashMap<>();
    int begun = 0;
    for (Map.Entry<Ticket.Id, Change> change : untold.entrySet()) {
      Ticket.Id id = change.getKey();
      Last shown = change.getValue().shown();
      if (shown == null || watches.isArmed(id) || begun++ < FEW) {
        now.put(id, change.getValue());
        last.remove(id);
        if (shown != null) {
          last.put(id, shown);
        }
      }
    }
    untold.clear();
    return now;
  }

  /** Where there is no stream, nothing more is watched: each try to open one may log in first. */
  private void tell(Map<Ticket.Id, Change> changes) {
    boolean open = true;
    for (Map.Entry<Ticket.Id, Change> change : changes.entrySet()) {
      Last shown = change.getValue().shown();
      if (shown == null) {
        watches.disarm(change.getKey());
      } else if (open) {
        open = watch(shown, change.getValue().revision());
      }
    }
  }

  private boolean watch(Last shown, long revision) {
    Keys.Range line = Keys.of(shown.ticket().resource(), shown.ticket().shape()).line();
    Watched changes = Watched.changes(line.from(), line.to());
    return watches.arm(shown.ticket().id(), changes, revision, () -> {}) != Armed.NO;
  }

  /** How many lines are watched. */
  int size() {
    return watches.size();
  }

  @Override
  public void close() {
    watches.close();
  }
}
