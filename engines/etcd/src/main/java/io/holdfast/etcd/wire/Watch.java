package io.holdfast.etcd.wire;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCreateRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One watch at the server, and the tickets that wait for it. Guarded by {@link Watches}. */
final class Watch {

  private static final long NOT_YET = -1;
  private static final int REMEMBERED = 64;
  private static final int IN_VAIN = 8;

  private record Departure(ByteString key, long revision) {}

  private final Watched asked;
  private final Set<Bell> bells = new LinkedHashSet<>();

  /** What was told last: a look may have been answered before it, and be heard of after it. */
  private final Deque<Departure> told = new ArrayDeque<>();

  private long number = NOT_YET;
  private long since;
  private long forgotten;
  private int inVain;

  Watch(Watched watched) {
    this.asked = watched.asAsked();
  }

  Watched asked() {
    return asked;
  }

  boolean isShared() {
    return asked.isShared();
  }

  WatchCreateRequest request() {
    WatchCreateRequest.Builder request =
        WatchCreateRequest.newBuilder().setKey(asked.key()).setRangeEnd(asked.end());
    if (isShared()) {
      request.addFilters(WatchCreateRequest.FilterType.NOPUT);
    }
    return request.build();
  }

  /** The server has it, from behind that revision on. */
  void begun(long newNumber, long revision) {
    number = newNumber;
    since = revision;
    bells.stream().filter(bell -> bell.hasSeen(since)).forEach(Bell::tellAll);
  }

  boolean hasBegun() {
    return number != NOT_YET;
  }

  long number() {
    return number;
  }

  Set<Bell> bells() {
    return bells;
  }

  void add(Bell bell) {
    inVain = 0;
    bells.add(bell);
    told.forEach(departure -> bell.departed(departure.key, departure.revision));
    if (hasBegun() && bell.hasSeen(since) && bell.hasSeen(forgotten)) {
      bell.tellAll();
    }
  }

  /** Takes what the server tells; answers those that ring, which are not among the bells then. */
  List<Bell> hear(List<Event> events) {
    List<Bell> ringing = new ArrayList<>();
    if (!isShared()) {
      if (rings(events)) {
        events.forEach(event -> bells.forEach(bell -> bell.touched(event.getKv().getKey())));
        ringing.addAll(bells);
      }
    } else {
      inVain = bells.isEmpty() ? inVain + 1 : 0;
      events.forEach(event -> departed(event.getKv().getKey(), event.getKv().getModRevision()));
      bells.stream().filter(Bell::rings).forEach(ringing::add);
    }
    ringing.forEach(bells::remove);
    return ringing;
  }

  private void departed(ByteString key, long revision) {
    told.add(new Departure(key, revision));
    if (told.size() > REMEMBERED) {
      forgotten = told.remove().revision;
    }
    bells.forEach(bell -> bell.departed(key, revision));
  }

  /** For who waits in a range, one that joins makes no room: only who goes or is changed does. */
  private boolean rings(List<Event> events) {
    for (Event event : events) {
      boolean joined = event.getType() == Event.EventType.PUT && event.getKv().getVersion() == 1;
      if (asked.joins() || !joined) {
        return true;
      }
    }
    return false;
  }

  /** Whether nobody has waited for it for a while. A shared one is kept for those who come back. */
  boolean isInVain() {
    return bells.isEmpty() && (!isShared() || inVain >= IN_VAIN);
  }
}
