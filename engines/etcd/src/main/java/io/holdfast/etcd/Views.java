package io.holdfast.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A line as operators see it, from all keys of a resource. */
final class Views {

  private final Wire wire;
  private final Marks marks;
  private final long wallMillis;
  private final Map<Long, Duration> leases = new HashMap<>();

  Views(Wire wire, Marks marks, long wallMillis) {
    this.wire = wire;
    this.marks = marks;
    this.wallMillis = wallMillis;
  }

  /** The tickets among all keys of a resource; of one kind, as the store sees to it. */
  static Seats seats(List<KeyValue> all) {
    List<Seat> seats = new ArrayList<>();
    int capacity = 1;
    char kind = 'a';
    for (KeyValue found : all) {
      kind = Keys.kind(found.getKey());
      if (Keys.isTicket(found.getKey())) {
        seats.add(Seat.read(found));
      } else if (kind == 's') {
        capacity = Head.capacity(found);
      }
    }
    seats.sort(Comparator.comparingLong(Seat::revision));
    return new Seats(Keys.shape(kind, capacity), seats, seats.size(), Head.Size.NONE);
  }

  /** Nothing, when nobody is in line and no mark is there. */
  Optional<LineView> of(Resource resource, List<KeyValue> all) throws EngineException {
    Seats seats = seats(all);
    Optional<Duration> marked = marked(resource, all);
    if (seats.seats().isEmpty() && marked.isEmpty()) {
      return Optional.empty();
    }
    List<TicketView> tickets = new ArrayList<>();
    for (int i = 0; i < seats.seats().size(); i++) {
      tickets.add(view(seats, i));
    }
    return Optional.of(new LineView(resource, seats.shape(), tickets, marked));
  }

  private TicketView view(Seats seats, int index) throws EngineException {
    Seat seat = seats.seats().get(index);
    boolean in = seats.isIn(index);
    TicketView.State state =
        !in
            ? TicketView.State.WAITING
            : seat.revoked().isEmpty() ? TicketView.State.HOLDING : TicketView.State.REVOKED;
    return new TicketView(
        state,
        seat.owner(),
        in ? seat.token() : 0,
        seat.weight(),
        Duration.ofMillis(Math.max(0, wallMillis - seat.joined())),
        left(seat.lease()));
  }

  private Optional<Duration> marked(Resource resource, List<KeyValue> all) throws EngineException {
    for (KeyValue found : all) {
      boolean mark =
          !Keys.isTicket(found.getKey())
              && Keys.shape(Keys.kind(found.getKey()), 1).kind() == Shape.Kind.ONCE;
      if (mark) {
        LeaseTimeToLiveResponse lease = wire.timeToLive(found.getLease());
        Duration most = Head.left(found, lease.getGrantedTTL(), lease.getTTL());
        Duration left = marks.left(resource, found, most);
        return left.isZero() ? Optional.empty() : Optional.of(left);
      }
    }
    return Optional.empty();
  }

  private Duration left(long lease) throws EngineException {
    Duration known = leases.get(lease);
    if (known == null) {
      known = Duration.ofSeconds(Math.max(0, wire.timeToLive(lease).getTTL()));
      leases.put(lease, known);
    }
    return known;
  }
}
