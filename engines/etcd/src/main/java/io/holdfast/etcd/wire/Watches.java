package io.holdfast.etcd.wire;

import io.etcd.jetcd.api.WatchResponse;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What tickets watch, all over one stream. Each is woken once; whatever ends a watch otherwise
 * (compaction, a lost stream) wakes too: whoever is woken asks again. A ticket that is in is woken
 * when something happens to its own key, or may have before its watch began.
 *
 * <p>A watch begins when the server hears of it. If the store has moved on since the look that made
 * it necessary, it wakes at once and stays: the next look sees what fell between the two. To begin
 * at the revision of the look would do without that look, but a server serves watches that begin in
 * the past only ten times a second.
 *
 * <p>Tickets of one client that know all ahead of them share the watch of their line. When the last
 * one ahead has gone, such a ticket is in, and nobody need be asked: nobody joins ahead of it, and
 * its own key would have been seen to go.
 *
 * <p>Safe for any number of threads. Wakes are called with no lock held.
 */
public final class Watches implements AutoCloseable {

  /** Lines that nobody waits in any more are watched a while longer; so many at most. */
  private static final int LINES = 64;

  private static final String ENDED = "the stream ended meanwhile";

  private final Members members;
  private final Duration timeout;
  private final Pace pace;
  private final Map<Ticket.Id, Bell> bells = new HashMap<>();
  private final Set<Ticket.Id> cleared = new HashSet<>();
  private final Map<Long, Watch> byNumber = new HashMap<>();
  private final Map<Watched, Watch> lines = new LinkedHashMap<>();
  private final ArrayDeque<Watch> asked = new ArrayDeque<>();
  private final AtomicLong rung = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();

  /** Nothing counts that another says. */
  private @Nullable WatchStream stream;

  private volatile Runnable givenUp = () -> {};

  /** What is left to do when the lock is free. */
  private final List<Runnable> afterwards = new ArrayList<>();

  private boolean closed;

  /** No stream is open yet. */
  public Watches(Members members, Duration timeout, LongSupplier nanoTime) {
    this.members = members;
    this.timeout = timeout;
    this.pace = new Pace(nanoTime);
    members.onMove(this::moved);
  }

  /** Calls this when a stream is given up that tickets watched over; with no lock held. */
  public void onGivenUp(Runnable listener) {
    givenUp = listener;
  }

  /**
   * Calls go to another member: so does the stream. A member that hangs does not end its streams,
   * and what it does not tell nobody would ask for.
   */
  private void moved() {
    WatchStream left;
    List<Wake> wakes;
    synchronized (this) {
      left = stream;
      if (left == null || members.isCurrent(left.member())) {
        return;
      }
      wakes = giveUp();
    }
    lost.incrementAndGet();
    left.close();
    wakes.forEach(Wake::wake);
    afterwards();
  }

  /** How often a ticket was woken by an event. */
  public long rung() {
    return rung.get();
  }

  /** How often the stream was lost. */
  public long lost() {
    return lost.get();
  }

  /** How many tickets watch something. */
  public synchronized int size() {
    return bells.size();
  }

  /**
   * Wakes the ticket at the next change of what it watches, behind what it has seen; replaces what
   * it watched before.
   *
   * @param seen the revision of its look
   */
  public Armed arm(Ticket.Id ticket, Watched watched, long seen, Wake wake) {
    try {
      // May log in: others do not wait for that.
      Members.Way way = needsStream() ? members.way(timeout) : null;
      return arm(ticket, watched, seen, wake, way);
    } catch (RuntimeException e) {
      // The stream broke while it was used: all that watch are told so.
      return Armed.NO;
    } finally {
      afterwards();
    }
  }

  private synchronized Armed arm(
      Ticket.Id ticket, Watched watched, long seen, Wake wake, Members.@Nullable Way way) {
    if (closed || (stream == null && way == null)) {
      return Armed.NO;
    }
    Bell known = bells.get(ticket);
    if (known == null || !known.watch().asked().equals(watched.asAsked())) {
      drop(ticket);
      known = new Bell(ticket, watch(watched, way));
      bells.put(ticket, known);
    }
    known.looked(watched, seen, wake);
    Watch watch = known.watch();
    watch.add(known);
    if (watch.isShared() && known.isCleared()) {
      cleared.add(ticket);
    }
    boolean again = !known.isComplete() || (watch.isShared() && known.rings());
    return watch.hasBegun() && again ? Armed.ASK_AGAIN : Armed.YES;
  }

  private synchronized boolean needsStream() {
    return stream == null && !closed && pace.mayOpen();
  }

  private Watch watch(Watched watched, Members.@Nullable Way way) {
    Watch known = lines.get(watched.asAsked());
    if (known != null) {
      return known;
    }
    WatchStream open = stream(way);
    Watch fresh = new Watch(watched);
    if (fresh.isShared()) {
      makeRoom();
      lines.put(fresh.asked(), fresh);
    }
    asked.add(fresh);
    open.watch(fresh.request());
    requireOpen(open);
    return fresh;
  }

  private void makeRoom() {
    if (lines.size() >= LINES) {
      List.copyOf(lines.values()).stream().filter(l -> l.bells().isEmpty()).forEach(this::end);
    }
  }

  /** Whether the ticket has seen all ahead of it go, and so is in; true until it is disarmed. */
  public synchronized boolean isCleared(Ticket.Id ticket) {
    return cleared.contains(ticket);
  }

  /**
   * Whether all that the ticket watches is told, and nothing has been since its look; by the very
   * member that calls go to, which is alive as long as it answers them.
   */
  public synchronized boolean isQuiet(Ticket.Id ticket) {
    Bell bell = bells.get(ticket);
    return stream != null
        && members.isCurrent(stream.member())
        && bell != null
        && bell.isComplete();
  }

  /** Whether the ticket watches something, and has not been woken. */
  public synchronized boolean isArmed(Ticket.Id ticket) {
    return bells.containsKey(ticket);
  }

  /** The ticket watches nothing any more. */
  public void disarm(Ticket.Id ticket) {
    drop(ticket);
    afterwards();
  }

  private synchronized void drop(Ticket.Id ticket) {
    cleared.remove(ticket);
    Bell bell = bells.remove(ticket);
    if (bell != null) {
      bell.watch().bells().remove(bell);
      endIfInVain(bell.watch());
    }
  }

  private void endIfInVain(Watch watch) {
    if (watch.isInVain()) {
      end(watch);
    }
  }

  /** One that has not begun yet is ended when it does. */
  private void end(Watch watch) {
    lines.remove(watch.asked(), watch);
    WatchStream open = stream;
    if (open != null && watch.hasBegun() && byNumber.remove(watch.number(), watch)) {
      open.cancel(watch.number());
    }
  }

  private WatchStream stream(Members.@Nullable Way way) {
    WatchStream open = stream;
    if (open == null) {
      if (way == null) {
        throw new IllegalStateException(ENDED);
      }
      open = new WatchStream(way, this::heard, this::ended);
      // Before it is opened: where there is no connection it ends while that is done.
      stream = open;
      pace.opened();
      open.open();
      requireOpen(open);
    }
    return open;
  }

  private void requireOpen(WatchStream used) {
    if (used != stream) {
      throw new IllegalStateException(ENDED);
    }
  }

  private synchronized List<Wake> heard(WatchStream from, WatchResponse response) {
    if (from != stream) {
      return List.of();
    }
    if (response.getCreated()) {
      Watch begun = asked.poll();
      if (begun == null) {
        return List.of();
      }
      return response.getCanceled() ? denied(from) : begun(begun, response);
    }
    Watch watch = byNumber.get(response.getWatchId());
    if (watch == null) {
      return List.of();
    }
    if (response.getCanceled()) {
      byNumber.remove(response.getWatchId());
      lines.remove(watch.asked(), watch);
      List<Bell> left = List.copyOf(watch.bells());
      watch.bells().clear();
      ring(left);
      return left.stream().map(Bell::wake).toList();
    }
    List<Bell> ringing = watch.hear(response.getEventsList());
    endIfInVain(watch);
    ring(ringing);
    return ringing.stream().filter(Bell::wakes).map(Bell::wake).toList();
  }

  /** The server does not know who opened the stream any more: another is, with another token. */
  private List<Wake> denied(WatchStream denied) {
    pace.denied();
    members.login().forget(denied.token());
    List<Wake> wakes = giveUp();
    denied.close();
    return wakes;
  }

  /** Those whose look is older than the beginning must look again, and stay. */
  private List<Wake> begun(Watch watch, WatchResponse response) {
    watch.begun(response.getWatchId(), response.getHeader().getRevision());
    byNumber.put(watch.number(), watch);
    endIfInVain(watch);
    return watch.bells().stream().filter(bell -> !bell.isComplete()).map(Bell::wake).toList();
  }

  private void ring(List<Bell> ringing) {
    for (Bell bell : ringing) {
      bells.remove(bell.ticket());
      if (bell.watch().isShared() && bell.isCleared()) {
        cleared.add(bell.ticket());
      }
      rung.incrementAndGet();
    }
  }

  /** A stream may end on the thread that uses it, under the lock. */
  private void ended(WatchStream ended) {
    boolean inUse = Thread.holdsLock(this);
    synchronized (this) {
      if (ended != stream) {
        return;
      }
      // Calls do not move on because of it: those who are woken call, and find out by themselves. A
      // member that ends its streams while there is no leader is as good as the next one.
      List<Wake> wakes = giveUp();
      afterwards.add(() -> wakes.forEach(Wake::wake));
    }
    lost.incrementAndGet();
    if (!inUse) {
      afterwards();
    }
  }

  /**
   * What must not be done under the lock: wakes call others, and a member that failed is told to
   * all that have streams there, which have locks of their own.
   */
  private void afterwards() {
    List<Runnable> due;
    synchronized (this) {
      due = List.copyOf(afterwards);
      afterwards.clear();
    }
    due.forEach(Runnable::run);
  }

  /**
   * There is no stream any more; answers whom to wake. Those that are in are not woken: ten
   * thousand would ask at once. They are not quiet any more, so their next renewals look.
   */
  private List<Wake> giveUp() {
    stream = null;
    if (!bells.isEmpty()) {
      afterwards.add(givenUp);
    }
    List<Wake> wakes =
        bells.values().stream().filter(bell -> !bell.isHeld()).map(Bell::wake).toList();
    bells.clear();
    cleared.clear();
    byNumber.clear();
    lines.clear();
    asked.clear();
    return wakes;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (stream != null) {
      WatchStream open = stream;
      stream = null;
      open.close();
    }
  }
}
