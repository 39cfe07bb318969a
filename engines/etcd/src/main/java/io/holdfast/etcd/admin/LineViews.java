package io.holdfast.etcd.admin;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.session.MarkTable;
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

/** Builds the view of a line that operators see, from all keys of a resource. */
final class LineViews {

  private final EtcdConnection connection;
  private final MarkTable marks;
  private final long wallMillis;
  private final Map<Long, Duration> leases = new HashMap<>();

  LineViews(EtcdConnection connection, MarkTable marks, long wallMillis) {
    this.connection = connection;
    this.marks = marks;
    this.wallMillis = wallMillis;
  }

  /** The line among all keys of a resource, which are of one kind. */
  static LineSnapshot snapshot(List<KeyValue> all) {
    List<TicketRecord> tickets = new ArrayList<>();
    int capacity = 0;
    char kind = 'a';
    for (KeyValue found : all) {
      kind = Keys.kind(found.getKey());
      if (Keys.isTicket(found.getKey())) {
        tickets.add(TicketRecord.read(found));
      } else if (kind == 's') {
        capacity = HeadRecord.permits(found);
      }
    }
    tickets.sort(Comparator.comparingLong(TicketRecord::revision));
    if (capacity == 0) {
      capacity = LineSnapshot.witness(tickets).map(TicketRecord::capacity).orElse(1);
    }
    return LineSnapshot.of(Keys.shape(kind, capacity), tickets);
  }

  /** The view of a line; empty if it has neither tickets nor a mark. */
  Optional<LineView> of(Resource resource, List<KeyValue> all) throws EngineException {
    LineSnapshot line = snapshot(all);
    Optional<Duration> marked = marked(resource, all);
    if (line.tickets().isEmpty() && marked.isEmpty()) {
      return Optional.empty();
    }
    List<TicketView> tickets = new ArrayList<>();
    for (int i = 0; i < line.tickets().size(); i++) {
      tickets.add(view(line, i));
    }
    return Optional.of(new LineView(resource, line.shape(), tickets, marked));
  }

  private TicketView view(LineSnapshot line, int index) throws EngineException {
    TicketRecord ticket = line.tickets().get(index);
    boolean in = line.isIn(index);
    TicketView.State state =
        !in
            ? TicketView.State.WAITING
            : ticket.revoked().isEmpty() ? TicketView.State.HOLDING : TicketView.State.REVOKED;
    return new TicketView(
        state,
        ticket.owner(),
        in ? ticket.token() : 0,
        ticket.weight(),
        Duration.ofMillis(Math.max(0, wallMillis - ticket.joined())),
        left(ticket.lease()));
  }

  private Optional<Duration> marked(Resource resource, List<KeyValue> all) throws EngineException {
    for (KeyValue found : all) {
      boolean mark =
          !Keys.isTicket(found.getKey())
              && Keys.shape(Keys.kind(found.getKey()), 1).kind() == Shape.Kind.ONCE;
      if (mark) {
        LeaseTimeToLiveResponse lease = connection.timeToLive(found.getLease());
        Duration most = HeadRecord.markLeft(found, lease.getGrantedTTL(), lease.getTTL());
        Duration left = marks.left(resource, found, most);
        return left.isZero() ? Optional.empty() : Optional.of(left);
      }
    }
    return Optional.empty();
  }

  private Duration left(long lease) throws EngineException {
    Duration known = leases.get(lease);
    if (known == null) {
      known = Duration.ofSeconds(Math.max(0, connection.timeToLive(lease).getTTL()));
      leases.put(lease, known);
    }
    return known;
  }
}
