package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.wire.Armed;
import io.holdfast.etcd.wire.Watched;
import io.holdfast.etcd.wire.Watches;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the last look has shown of each ticket that is in and was renewed, for as long as it is so.
 * Its line is watched from then on: as long as nothing happens there, a renewal need not look
 * again. Watches that are lost count as something that happened.
 *
 * <p>Where the client wants to be told of changes, a ticket is watched when it has been in for a
 * moment, and a change of its own key is reported: it was deleted, or an operator wrote to it.
 * Those that are in for less than that cost no message.
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
   * All of that is so only while the member that would tell is the one that answers calls: a stream
   * at a member that hangs is silent, and is given up when calls move on.
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

  /** One that was in for so long is watched. */
  private static final long MOMENT = Duration.ofMillis(150).toNanos();

  private static final Duration IDLE = Duration.ofSeconds(10);

  /** How long to wait for more that were in for a moment. */
  private static final long AGAIN = Duration.ofMillis(50).toNanos();

  /** Of those, so many are taken at once: 2,000 a second. */
  private static final int SOME = 100;

  /** To be watched in a moment, since that revision of the store. */
  private record Fresh(Last shown, long revision, long since) {}

  private final Watches watches;
  private final Layout layout;
  private final LongSupplier nanoTime;

  /** Whom nobody has looked at for longest comes first. */
  private final Map<Ticket.Id, Last> last = new LinkedHashMap<>();

  private final Map<Ticket.Id, Change> untold = new LinkedHashMap<>();
  private final ReentrantLock telling = new ReentrantLock();

  /** Who was let in last comes last. */
  private final Map<Ticket.Id, Fresh> fresh = new LinkedHashMap<>();

  /** Watched since their grant, and not looked at by a renewal yet: the first one looks. */
  private final Set<Ticket.Id> unlooked = new HashSet<>();

  private final ScheduledThreadPoolExecutor timer;
  private volatile @Nullable HoldSignal signal;
  private boolean sweeps;
  private long turned;

  /** Nobody else watches with these. */
  Looks(Watches watches, Layout layout, LongSupplier nanoTime) {
    this.watches = watches;
    this.layout = layout;
    this.nanoTime = nanoTime;
    this.turned = nanoTime.getAsLong();
    this.timer = new ScheduledThreadPoolExecutor(1, Looks::daemon);
    timer.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
    watches.onGivenUp(this::watchAgain);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "holdfast-etcd-holds");
    thread.setDaemon(true);
    return thread;
  }

  /** From now on changes of what is held are reported. */
  void reportTo(HoldSignal to) {
    signal = to;
  }

  /** The ticket was just let in. If it stays, it is watched in a moment. */
  synchronized void entered(Last shown) {
    if (signal != null && !timer.isShutdown()) {
      fresh.put(shown.ticket().id(), new Fresh(shown, shown.revision(), nanoTime.getAsLong()));
      unlooked.add(shown.ticket().id());
      sweepAfter(MOMENT);
    }
  }

  /** All watches are lost: they begin anew, some at a time, and say then what was missed. */
  private synchronized void watchAgain() {
    if (signal != null && !timer.isShutdown() && !last.isEmpty()) {
      long now = nanoTime.getAsLong();
      for (Last shown : last.values()) {
        fresh.putIfAbsent(shown.ticket().id(), new Fresh(shown, shown.revision(), now));
      }
      sweepAfter(MOMENT);
    }
  }

  private void sweepAfter(long nanos) {
    if (!sweeps) {
      sweeps = true;
      var unused = timer.schedule(this::sweep, nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Watches some of those that were in for a moment. The revision that they joined at is older than
   * the watch, unless the store stood still: then the server says so, and they are looked at.
   */
  private void sweep() {
    telling.lock();
    try {
      boolean open = true;
      for (Fresh next : settled()) {
        open = open && watch(next.shown, next.revision);
      }
    } finally {
      telling.unlock();
    }
    // What was to be told meanwhile was left to this thread.
    tell();
  }

  private synchronized List<Fresh> settled() {
    sweeps = false;
    List<Fresh> settled = new ArrayList<>();
    long now = nanoTime.getAsLong();
    Iterator<Fresh> oldest = fresh.values().iterator();
    while (oldest.hasNext() && settled.size() < SOME) {
      Fresh next = oldest.next();
      if (now - next.since < MOMENT) {
        break;
      }
      oldest.remove();
      settled.add(next);
      last.put(next.shown.ticket().id(), next.shown);
    }
    if (!fresh.isEmpty() && !timer.isShutdown()) {
      sweepAfter(AGAIN);
    }
    return settled;
  }

  private void changed(Last shown) {
    HoldSignal to = signal;
    boolean known;
    synchronized (this) {
      known = last.containsKey(shown.ticket().id());
    }
    if (to != null && known) {
      to.changed(shown.ticket().resource());
    }
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
    fresh.remove(shown.ticket().id());
    unlooked.remove(shown.ticket().id());
    untold.put(shown.ticket().id(), new Change(shown, revision));
  }

  /** What the last look has shown, if nothing has happened to the line since. */
  @Nullable Last unchanged(Ticket.Id id) {
    if (!watches.isQuiet(id)) {
      return null;
    }
    synchronized (this) {
      return unlooked.contains(id) ? null : last.get(id);
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
    fresh.remove(id);
    unlooked.remove(id);
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
      Last next = longest.next();
      // One that no renewal has looked at is looked at by its first renewal, and by that alone:
      // etcd
      // checks the rights of a transaction, but not of those within it.
      if (mayBeQuiet(next.ticket()) && !unlooked.contains(next.ticket().id())) {
        chosen.add(next);
        longest.remove();
      }
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

  /**
   * What is to be said now. Those beyond the few are left to the sweeper, or to their next look.
   */
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
      } else if (signal != null && !timer.isShutdown()) {
        long before = nanoTime.getAsLong() - MOMENT;
        fresh.put(id, new Fresh(shown, change.getValue().revision(), before));
        sweepAfter(AGAIN);
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
    Watched what = Watched.held(shown.key());
    if (mayBeQuiet(shown.ticket())) {
      Keys.Range line = layout.of(shown.ticket().resource(), shown.ticket().shape()).line();
      what = Watched.held(line.from(), line.to(), shown.key());
    }
    return watches.arm(shown.ticket().id(), what, revision, () -> changed(shown)) != Armed.NO;
  }

  /** How many lines are watched. */
  int size() {
    return watches.size();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    watches.close();
  }
}
