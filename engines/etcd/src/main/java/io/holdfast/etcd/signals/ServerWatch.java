package io.holdfast.etcd.signals;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One watch at the server, and the tickets that use it. Guarded by {@link WatchRegistry}. */
final class ServerWatch {

  private static final long NOT_YET = -1;
  private static final int MOST_DEPARTURES = 64;
  private static final int MOST_UNUSED = 8;

  private record Departure(ByteString key, long revision) {}

  private final WatchTarget target;
  private final Set<TicketWatch> tickets = new LinkedHashSet<>();

  /** The latest departures: a line may have been read before, and the ticket be armed after. */
  private final Deque<Departure> departures = new ArrayDeque<>();

  private long id = NOT_YET;
  private long since;
  private long forgotten;
  private int unused;

  ServerWatch(WatchTarget of) {
    this.target = of.atServer();
  }

  WatchTarget target() {
    return target;
  }

  boolean isShared() {
    return target.isShared();
  }

  WatchCreateRequest request() {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder().setKey(target.key()).setRangeEnd(target.end());
    if (isShared()) {
      request.addFilters(WatchCreateRequest.FilterType.NOPUT);
    }
    return request.build();
  }

  /** The server has begun it, from the revision after that one. */
  void begun(long newId, long revision) {
    id = newId;
    since = revision;
    tickets.stream().filter(ticket -> ticket.hasSeen(since)).forEach(TicketWatch::receivesAll);
  }

  boolean hasBegun() {
    return id != NOT_YET;
  }

  long id() {
    return id;
  }

  Set<TicketWatch> tickets() {
    return tickets;
  }

  void add(TicketWatch ticket) {
    unused = 0;
    tickets.add(ticket);
    departures.forEach(departure -> ticket.departed(departure.key, departure.revision));
    if (hasBegun() && ticket.hasSeen(since) && ticket.hasSeen(forgotten)) {
      ticket.receivesAll();
    }
  }

  /** Receives events; returns the tickets whose watches have fired, and drops them. */
  List<TicketWatch> receive(List<Event> events) {
    List<TicketWatch> fired = new ArrayList<>();
    if (!isShared()) {
      if (concerns(events)) {
        events.forEach(event -> tickets.forEach(ticket -> ticket.touched(event.getKv().getKey())));
        fired.addAll(tickets);
      }
    } else {
      unused = tickets.isEmpty() ? unused + 1 : 0;
      events.forEach(event -> departed(event.getKv().getKey(), event.getKv().getModRevision()));
      tickets.stream().filter(TicketWatch::hasFired).forEach(fired::add);
    }
    fired.forEach(tickets::remove);
    return fired;
  }

  private void departed(ByteString key, long revision) {
    departures.add(new Departure(key, revision));
    if (departures.size() > MOST_DEPARTURES) {
      forgotten = departures.remove().revision;
    }
    tickets.forEach(ticket -> ticket.departed(key, revision));
  }

  /** For a waiter in a range, a join makes no room: only a departure or a change does. */
  private boolean concerns(List<Event> events) {
    for (Event event : events) {
      boolean joined = event.getType() == Event.EventType.PUT && event.getKv().getVersion() == 1;
      if (target.joins() || !joined) {
        return true;
      }
    }
    return false;
  }

  /** Whether no ticket has used it for a while. A shared one is kept for tickets to come. */
  boolean isUnused() {
    return tickets.isEmpty() && (!isShared() || unused >= MOST_UNUSED);
  }
}
