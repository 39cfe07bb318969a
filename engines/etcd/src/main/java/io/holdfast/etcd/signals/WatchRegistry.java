package io.holdfast.etcd.signals;

import io.etcd.jetcd.api.WatchResponse;
import io.holdfast.etcd.connection.Members;
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
 * The watches of this client's tickets, all over one stream.
 *
 * <p>Each ticket is woken once. If a watch ends otherwise (compaction, a lost stream), its tickets
 * are woken too: a woken ticket asks again. A ticket that is in is woken when its own key changes,
 * or may have changed before its watch began.
 *
 * <p>A watch begins when the server receives it. If the store has moved on since the line was read,
 * the ticket is woken at once and the watch stays: the next read sees what happened in between. A
 * watch that starts at the revision of the read would save that second read, but a server serves
 * watches that start in the past only ten times a second.
 *
 * <p>Tickets of one client that know all tickets ahead of them share the watch of their line. When
 * the last one ahead has left, such a ticket is in without asking: no ticket joins ahead of it, and
 * it would have received the deletion of its own key.
 *
 * <p>Safe for use by several threads. Wakes are called with no lock held.
 */
public final class WatchRegistry implements AutoCloseable {

  /** The result of {@link #arm}. */
  public enum Armed {
    /** The ticket will be woken. */
    YES,
    /** The ticket will be woken, and there is a reason to ask at once. */
    ASK_AGAIN,
    /** There is no stream: the ticket must ask again by itself. */
    NO
  }

  /** Lines without waiters are watched a while longer; so many at most. */
  private static final int MOST_LINES = 64;

  /** After a watch was denied, a stream is opened once in this time at most. */
  private static final Duration PAUSE_AFTER_DENIAL = Duration.ofSeconds(1);

  private static final String ENDED = "the stream has ended";

  private final Members members;
  private final Duration timeout;
  private final LongSupplier nanoTime;
  private final Map<Ticket.Id, TicketWatch> tickets = new HashMap<>();
  private final Set<Ticket.Id> cleared = new HashSet<>();
  private final Map<Long, ServerWatch> byId = new HashMap<>();
  private final Map<WatchTarget, ServerWatch> lines = new LinkedHashMap<>();
  private final ArrayDeque<ServerWatch> requested = new ArrayDeque<>();
  private final AtomicLong fired = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();

  /** The present stream: what others receive does not count. */
  private @Nullable WatchStream stream;

  private volatile Runnable givenUp = () -> {};

  /** What is left to do after the lock is released. */
  private final List<Runnable> deferred = new ArrayList<>();

  private boolean closed;

  /** When the last stream was opened, and from when on another one may be. */
  private long openedAt;

  private long opensFrom;

  /** No stream is open yet. */
  public WatchRegistry(Members members, Duration timeout, LongSupplier nanoTime) {
    this.members = members;
    this.timeout = timeout;
    this.nanoTime = nanoTime;
    this.opensFrom = nanoTime.getAsLong();
    members.onMove(this::moved);
  }

  /** Calls this when a stream with watches is given up; with no lock held. */
  public void onGivenUp(Runnable listener) {
    givenUp = listener;
  }

  /**
   * Calls go to another member, and so does the stream: a member that hangs neither ends its
   * streams nor sends events, and no ticket would ask for them.
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
    runDeferred();
  }

  /** How often the watch of a ticket has fired. */
  public long fired() {
    return fired.get();
  }

  /** How often the stream was lost. */
  public long lost() {
    return lost.get();
  }

  /** How many tickets have a watch. */
  public synchronized int size() {
    return tickets.size();
  }

  /**
   * Wakes the ticket at the next change of the target after that revision; replaces its former
   * watch.
   *
   * @param readAt the revision at which the line was read
   */
  public Armed arm(Ticket.Id ticket, WatchTarget target, long readAt, Wake wake) {
    try {
      // May log in: other tickets do not wait for that.
      Members.Route route = needsStream() ? members.route(timeout) : null;
      return arm(ticket, target, readAt, wake, route);
    } catch (RuntimeException e) {
      // The stream broke while it was used: all of its tickets are woken.
      return Armed.NO;
    } finally {
      runDeferred();
    }
  }

  private synchronized Armed arm(
      Ticket.Id ticket, WatchTarget target, long readAt, Wake wake, Members.@Nullable Route route) {
    if (closed || (stream == null && route == null)) {
      return Armed.NO;
    }
    TicketWatch known = tickets.get(ticket);
    if (known == null || !known.watch().target().equals(target.atServer())) {
      drop(ticket);
      known = new TicketWatch(ticket, watch(target, route));
      tickets.put(ticket, known);
    }
    known.armed(target, readAt, wake);
    ServerWatch watch = known.watch();
    watch.add(known);
    if (watch.isShared() && known.isCleared()) {
      cleared.add(ticket);
    }
    boolean again = !known.isComplete() || (watch.isShared() && known.hasFired());
    return watch.hasBegun() && again ? Armed.ASK_AGAIN : Armed.YES;
  }

  private synchronized boolean needsStream() {
    return stream == null && !closed && nanoTime.getAsLong() - opensFrom >= 0;
  }

  private ServerWatch watch(WatchTarget target, Members.@Nullable Route route) {
    ServerWatch known = lines.get(target.atServer());
    if (known != null) {
      return known;
    }
    WatchStream open = stream(route);
    ServerWatch fresh = new ServerWatch(target);
    if (fresh.isShared()) {
      makeRoom();
      lines.put(fresh.target(), fresh);
    }
    requested.add(fresh);
    open.watch(fresh.request());
    requireOpen(open);
    return fresh;
  }

  private void makeRoom() {
    if (lines.size() >= MOST_LINES) {
      List.copyOf(lines.values()).stream().filter(l -> l.tickets().isEmpty()).forEach(this::end);
    }
  }

  /** Whether all tickets ahead of this one have left, so that it is in; until it is disarmed. */
  public synchronized boolean isCleared(Ticket.Id ticket) {
    return cleared.contains(ticket);
  }

  /**
   * Whether the ticket receives all events and there was none since the line was read. Only events
   * of the member that calls go to count: it is alive as long as it replies to them.
   */
  public synchronized boolean isQuiet(Ticket.Id ticket) {
    TicketWatch watching = tickets.get(ticket);
    return stream != null
        && members.isCurrent(stream.member())
        && watching != null
        && watching.isComplete();
  }

  /** Whether the ticket has a watch that has not fired. */
  public synchronized boolean isArmed(Ticket.Id ticket) {
    return tickets.containsKey(ticket);
  }

  /** Ends the watch of a ticket. */
  public void disarm(Ticket.Id ticket) {
    drop(ticket);
    runDeferred();
  }

  private synchronized void drop(Ticket.Id ticket) {
    cleared.remove(ticket);
    TicketWatch watching = tickets.remove(ticket);
    if (watching != null) {
      watching.watch().tickets().remove(watching);
      endIfUnused(watching.watch());
    }
  }

  private void endIfUnused(ServerWatch watch) {
    if (watch.isUnused()) {
      end(watch);
    }
  }

  /** A watch that has not begun yet is ended when it does. */
  private void end(ServerWatch watch) {
    lines.remove(watch.target(), watch);
    WatchStream open = stream;
    if (open != null && watch.hasBegun() && byId.remove(watch.id(), watch)) {
      open.cancel(watch.id());
    }
  }

  private WatchStream stream(Members.@Nullable Route route) {
    WatchStream open = stream;
    if (open == null) {
      if (route == null) {
        throw new IllegalStateException(ENDED);
      }
      open = new WatchStream(route, this::received, this::ended);
      // Before it is opened: where there is no connection it ends while that is done.
      stream = open;
      openedAt = nanoTime.getAsLong();
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

  private synchronized List<Wake> received(WatchStream from, WatchResponse response) {
    if (from != stream) {
      return List.of();
    }
    if (response.getCreated()) {
      ServerWatch begun = requested.poll();
      if (begun == null) {
        return List.of();
      }
      return response.getCanceled() ? denied(from) : begun(begun, response);
    }
    ServerWatch watch = byId.get(response.getWatchId());
    if (watch == null) {
      return List.of();
    }
    if (response.getCanceled()) {
      byId.remove(response.getWatchId());
      lines.remove(watch.target(), watch);
      List<TicketWatch> left = List.copyOf(watch.tickets());
      watch.tickets().clear();
      fire(left);
      return left.stream().map(TicketWatch::wake).toList();
    }
    List<TicketWatch> fired = watch.receive(response.getEventsList());
    endIfUnused(watch);
    fire(fired);
    return fired.stream().filter(TicketWatch::wakes).map(TicketWatch::wake).toList();
  }

  /** The login of the stream is not valid any more: another is opened, with another token. */
  private List<Wake> denied(WatchStream denied) {
    opensFrom = openedAt + PAUSE_AFTER_DENIAL.toNanos();
    members.login().forget(denied.token());
    List<Wake> wakes = giveUp();
    denied.close();
    return wakes;
  }

  /** Tickets whose line was read before the watch began must ask again; their watches stay. */
  private List<Wake> begun(ServerWatch watch, WatchResponse response) {
    watch.begun(response.getWatchId(), response.getHeader().getRevision());
    byId.put(watch.id(), watch);
    endIfUnused(watch);
    return watch.tickets().stream()
        .filter(watching -> !watching.isComplete())
        .map(TicketWatch::wake)
        .toList();
  }

  private void fire(List<TicketWatch> those) {
    for (TicketWatch watching : those) {
      tickets.remove(watching.ticket());
      if (watching.watch().isShared() && watching.isCleared()) {
        cleared.add(watching.ticket());
      }
      fired.incrementAndGet();
    }
  }

  /** A stream may end on the thread that uses it, under the lock. */
  private void ended(WatchStream ended) {
    boolean inUse = Thread.holdsLock(this);
    synchronized (this) {
      if (ended != stream) {
        return;
      }
      // Calls stay with this member: the woken tickets call, and find out by themselves. A member
      // that ends its streams while there is no leader is as good as the next one.
      List<Wake> wakes = giveUp();
      deferred.add(() -> wakes.forEach(Wake::wake));
    }
    lost.incrementAndGet();
    if (!inUse) {
      runDeferred();
    }
  }

  /**
   * Does what must not be done under the lock: wakes call other code, and a failed member is
   * reported to all registries with streams to it, which have locks of their own.
   */
  private void runDeferred() {
    List<Runnable> due;
    synchronized (this) {
      due = List.copyOf(deferred);
      deferred.clear();
    }
    due.forEach(Runnable::run);
  }

  /**
   * There is no stream any more; returns the tickets to wake. Tickets that are in are not woken:
   * ten thousand would ask at once. They are not quiet any more, so their next renewals read the
   * line.
   */
  private List<Wake> giveUp() {
    stream = null;
    if (!tickets.isEmpty()) {
      deferred.add(givenUp);
    }
    List<Wake> wakes =
        tickets.values().stream()
            .filter(watching -> !watching.isHeld())
            .map(TicketWatch::wake)
            .toList();
    tickets.clear();
    cleared.clear();
    byId.clear();
    lines.clear();
    requested.clear();
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
