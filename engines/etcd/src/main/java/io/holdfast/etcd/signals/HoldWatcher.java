package io.holdfast.etcd.signals;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Layout;
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
 * Watches held tickets, so that renewals need no reads and holders learn of changes.
 *
 * <p>Remembers what was last read of each held ticket. As long as nothing happens to its line, a
 * renewal need not read it again. A lost watch counts as something that happened.
 *
 * <p>If the client wants to be notified of changes, a ticket is watched once it has been in for a
 * moment, and a change of its own key is reported: it was deleted, or an operator wrote to it.
 * Holds shorter than that cost no message.
 *
 * <p>The watches of holders have a stream of their own, so that no waiter waits behind ten thousand
 * holders. The server is asked to watch after the verbs of a batch are complete, a few tickets each
 * time: if very many are taken at once, their watches must not cost them their leases.
 *
 * <p>Safe for use by several threads.
 */
public final class HoldWatcher implements AutoCloseable {

  /*
   * Why a renewal that reads nothing makes no holder believe for longer: what a holder believes is
   * counted from the keep-alive of the lease, and only if a transaction of the same term has confirmed
   * it; a renewal that finds the lease kept a moment ago does not keep it again, whether it reads the
   * line or not. Reading adds only that the key exists, and whether tickets wait. While the lease
   * lasts, a key is changed or deleted only by an operator.
   *
   * That holds only while calls go to the member that sends the events: a stream to a member that
   * hangs is silent, and is given up when calls move to another member.
   *
   * So a missed event costs no more than this: the holder learns late what an operator did, and its
   * client does not know that it is wanted. Checks find both: with the renewal that keeps the lease,
   * the holds that were not read for longest are read. If other verbs keep the lease all the time, a
   * check is due by itself.
   *
   * What breaks it: a watch that stays silent while the lease is kept, until the check comes round.
   * That takes a third of the lease at most for each fifty holds.
   */

  /** What was read of a held ticket: where it joined, its lease, and whether others wait. */
  public record HeldState(
      Ticket ticket, ByteString key, long revision, long lease, boolean wanted) {}

  /** A watch to begin, from that revision of the store; or to end, without a state. */
  private record Change(@Nullable HeldState state, long revision) {

    static final Change END = new Change(null, 0);
  }

  /** How many watches begin with one batch of verbs. */
  private static final int MOST_BEGUN = 20;

  /** A check is due after this part of a lease. */
  private static final int CHECK_INTERVAL = 3;

  /** A hold is watched when it has lasted for so long. */
  private static final long SETTLING_TIME = Duration.ofMillis(150).toNanos();

  private static final Duration IDLE = Duration.ofSeconds(10);

  /** How long to wait for more holds that have lasted for a moment. */
  private static final long SWEEP_INTERVAL = Duration.ofMillis(50).toNanos();

  /** Without a stream, holds that are to be watched wait for so long, twice as long each time. */
  private static final long FIRST_RETRY = Duration.ofMillis(250).toNanos();

  private static final long LAST_RETRY = Duration.ofSeconds(4).toNanos();

  /** How many of those are watched at once: 2,000 a second. */
  private static final int MOST_AT_ONCE = 100;

  /** A hold to be watched in a moment, from that revision of the store. */
  private record Fresh(HeldState state, long revision, long since) {}

  private final WatchRegistry watches;
  private final Layout layout;
  private final LongSupplier nanoTime;

  /** The hold that was not read for longest comes first. */
  private final Map<Ticket.Id, HeldState> last = new LinkedHashMap<>();

  /** Watches to begin or to end with the next update. */
  private final Map<Ticket.Id, Change> pending = new LinkedHashMap<>();

  private final ReentrantLock updating = new ReentrantLock();

  /** The latest grant comes last. */
  private final Map<Ticket.Id, Fresh> fresh = new LinkedHashMap<>();

  /** Watched since their grant, and not read by a renewal yet: the first renewal reads. */
  private final Set<Ticket.Id> unread = new HashSet<>();

  /** No BackgroundLoop: its thread ends while there is nothing to watch. */
  private final ScheduledThreadPoolExecutor timer;

  private volatile @Nullable HoldSignal signal;
  private boolean sweeps;
  private long retry = FIRST_RETRY;

  /** The sweeper begins no watches before this time. */
  private long sweepsFrom;

  private long checkedAt;

  /** Uses the registry alone. */
  public HoldWatcher(WatchRegistry watches, Layout layout, LongSupplier nanoTime) {
    this.watches = watches;
    this.layout = layout;
    this.nanoTime = nanoTime;
    this.checkedAt = nanoTime.getAsLong();
    this.sweepsFrom = checkedAt;
    this.timer = new ScheduledThreadPoolExecutor(1, HoldWatcher::daemon);
    timer.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    timer.allowCoreThreadTimeOut(true);
    watches.onGivenUp(this::watchAgain);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "holdfast-etcd-holds");
    thread.setDaemon(true);
    return thread;
  }

  /** Reports changes of held tickets from now on. */
  public void reportTo(HoldSignal to) {
    signal = to;
  }

  /** The ticket was just granted. If it stays, it is watched in a moment. */
  public synchronized void entered(HeldState state) {
    if (signal != null && !timer.isShutdown()) {
      fresh.put(state.ticket().id(), new Fresh(state, state.revision(), nanoTime.getAsLong()));
      unread.add(state.ticket().id());
      sweepAfter(SETTLING_TIME);
    }
  }

  /** All watches are lost: they begin again, some at a time, and report then what was missed. */
  private synchronized void watchAgain() {
    if (signal != null && !timer.isShutdown() && !last.isEmpty()) {
      long now = nanoTime.getAsLong();
      for (HeldState state : last.values()) {
        fresh.putIfAbsent(state.ticket().id(), new Fresh(state, state.revision(), now));
      }
      sweepAfter(SETTLING_TIME);
    }
  }

  private void sweepAfter(long nanos) {
    if (!sweeps) {
      sweeps = true;
      var unused = timer.schedule(this::sweep, nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Watches some of the holds that have lasted for a moment. If the store has changed since they
   * joined, the start of the watch wakes them, and they are read again. Without a stream they are
   * tried again later: their renewals may be far away, and what happened meanwhile would go unseen.
   */
  private void sweep() {
    List<Fresh> unwatched = new ArrayList<>();
    updating.lock();
    try {
      for (Fresh next : takeSettled()) {
        if (!unwatched.isEmpty() || !watch(next.state, next.revision)) {
          unwatched.add(next);
        }
      }
    } finally {
      updating.unlock();
    }
    swept(unwatched);
    // Meanwhile other threads have left their updates to this one.
    updateWatches();
  }

  private synchronized void swept(List<Fresh> unwatched) {
    if (unwatched.isEmpty()) {
      retry = FIRST_RETRY;
      return;
    }
    for (Fresh next : unwatched) {
      Ticket.Id id = next.state.ticket().id();
      if (last.containsKey(id) && !pending.containsKey(id)) {
        fresh.putIfAbsent(id, next);
      }
    }
    sweepsFrom = nanoTime.getAsLong() + retry;
    if (!fresh.isEmpty() && !timer.isShutdown()) {
      sweepAfter(retry);
    }
    retry = Math.min(2 * retry, LAST_RETRY);
  }

  private synchronized List<Fresh> takeSettled() {
    sweeps = false;
    List<Fresh> settled = new ArrayList<>();
    long now = nanoTime.getAsLong();
    if (sweepsFrom - now > 0) {
      sweepAfter(sweepsFrom - now);
      return settled;
    }
    Iterator<Fresh> oldest = fresh.values().iterator();
    while (oldest.hasNext() && settled.size() < MOST_AT_ONCE) {
      Fresh next = oldest.next();
      if (now - next.since < SETTLING_TIME) {
        break;
      }
      oldest.remove();
      settled.add(next);
      last.put(next.state.ticket().id(), next.state);
    }
    if (!fresh.isEmpty() && !timer.isShutdown()) {
      sweepAfter(SWEEP_INTERVAL);
    }
    return settled;
  }

  private void changed(HeldState state) {
    HoldSignal to = signal;
    boolean known;
    synchronized (this) {
      known = last.containsKey(state.ticket().id());
    }
    if (to != null && known) {
      to.changed(state.ticket().resource());
    }
  }

  /**
   * Whether a renewal of such a ticket may do without reading. The renewal of a permit also keeps
   * the capacity of its line; and a fixed lease is not renewed but extended.
   */
  public static boolean canSkipReads(Ticket ticket) {
    return ticket.shape().kind() != Shape.Kind.SEMAPHORE && !ticket.fixed();
  }

  /** A renewal has read this, at that revision of the store. */
  public synchronized void read(HeldState state, long revision) {
    fresh.remove(state.ticket().id());
    unread.remove(state.ticket().id());
    pending.put(state.ticket().id(), new Change(state, revision));
  }

  /** What was last read of a ticket, if nothing has happened to its line since. */
  public @Nullable HeldState findUnchanged(Ticket.Id id) {
    if (!watches.isQuiet(id)) {
      return null;
    }
    synchronized (this) {
      return unread.contains(id) ? null : last.get(id);
    }
  }

  /** The hold is no longer in that state, unless it was read again since. */
  public synchronized void differs(HeldState state) {
    Ticket.Id id = state.ticket().id();
    if (state.equals(last.get(id)) && !pending.containsKey(id)) {
      forget(id);
    }
  }

  /** Forgets the ticket and ends its watch. */
  public synchronized void forget(Ticket.Id id) {
    fresh.remove(id);
    unread.remove(id);
    boolean known = last.remove(id) != null;
    boolean toBe = pending.remove(id) != null;
    if (known || toBe) {
      pending.put(id, Change.END);
    }
  }

  /**
   * Returns the holds that were not read for longest, to be checked now. They come last then.
   *
   * @param most how many may be chosen
   * @param now whether to choose any before a check is due
   */
  public synchronized List<HeldState> takeForCheck(int most, boolean now) {
    Iterator<HeldState> longest = last.values().iterator();
    List<HeldState> chosen = new ArrayList<>();
    if (!now && !isCheckDue()) {
      return chosen;
    }
    checkedAt = nanoTime.getAsLong();
    while (chosen.size() < most && longest.hasNext()) {
      HeldState next = longest.next();
      // A hold that no renewal has read is left to its first renewal.
      if (canSkipReads(next.ticket()) && !unread.contains(next.ticket().id())) {
        chosen.add(next);
        longest.remove();
      }
    }
    chosen.forEach(state -> last.put(state.ticket().id(), state));
    return chosen;
  }

  private boolean isCheckDue() {
    long since = nanoTime.getAsLong() - checkedAt;
    return last.values().stream()
        .limit(1)
        .anyMatch(state -> since >= state.ticket().lease().toNanos() / CHECK_INTERVAL);
  }

  /** Begins and ends watches at the server. May block for I/O, to log in. */
  public void updateWatches() {
    // One thread at a time does it for all, so that the last update of a ticket counts.
    while (hasPending() && updating.tryLock()) {
      try {
        update(takeChanges());
      } finally {
        updating.unlock();
      }
    }
  }

  private synchronized boolean hasPending() {
    return !pending.isEmpty();
  }

  /**
   * The updates to send now. More new watches than a few are left to the sweeper, or to the next
   * read.
   */
  private synchronized Map<Ticket.Id, Change> takeChanges() {
    Map<Ticket.Id, Change> now = new LinkedHashMap<>();
    int begun = 0;
    for (Map.Entry<Ticket.Id, Change> change : pending.entrySet()) {
      Ticket.Id id = change.getKey();
      HeldState state = change.getValue().state();
      if (state == null || watches.isArmed(id) || begun++ < MOST_BEGUN) {
        now.put(id, change.getValue());
        last.remove(id);
        if (state != null) {
          last.put(id, state);
        }
      } else if (signal != null && !timer.isShutdown()) {
        long before = nanoTime.getAsLong() - SETTLING_TIME;
        fresh.put(id, new Fresh(state, change.getValue().revision(), before));
        sweepAfter(SWEEP_INTERVAL);
      }
    }
    pending.clear();
    return now;
  }

  /** Without a stream no more watches are tried: each try to open one may log in first. */
  private void update(Map<Ticket.Id, Change> changes) {
    boolean open = true;
    for (Map.Entry<Ticket.Id, Change> change : changes.entrySet()) {
      HeldState state = change.getValue().state();
      if (state == null) {
        watches.disarm(change.getKey());
      } else if (open) {
        open = watch(state, change.getValue().revision());
      }
    }
  }

  private boolean watch(HeldState state, long revision) {
    WatchTarget what = WatchTarget.held(state.key());
    if (canSkipReads(state.ticket())) {
      Keys.Range line = layout.of(state.ticket().resource(), state.ticket().shape()).line();
      what = WatchTarget.held(line.from(), line.to(), state.key());
    }
    return watches.arm(state.ticket().id(), what, revision, () -> changed(state))
        != WatchRegistry.Armed.NO;
  }

  /** How many holds are watched. */
  public int size() {
    return watches.size();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    watches.close();
  }
}
