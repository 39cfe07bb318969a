package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView.State;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's side of the tables. Looking locks nothing, and begins no transaction, which would
 * keep others out of a database that is a file: a resource and its line may be read some moments
 * apart. Taking away is a transaction on the resource's row.
 */
public final class TableInspector implements EngineInspector {

  /** Lends a connection for one request. */
  @FunctionalInterface
  public interface Door {

    /** A runner that the request closes. */
    Runner open() throws EngineException;
  }

  private final Door door;
  private final Sql sql;
  private final Rows rows;
  private final Writes writes;
  private final boolean tells;

  /**
   * The operators' side of these tables.
   *
   * @param signals whether those that wait are told
   * @param tells whether the database can tell those that hold something
   */
  public TableInspector(Door door, Sql sql, boolean signals, boolean tells) {
    this.door = door;
    this.sql = sql;
    this.rows = new Rows(sql);
    this.writes = new Writes(sql, signals);
    this.tells = tells;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit must be 1.." + MAX_PAGE + ": limit=" + limit);
    }
    List<LineView> page = new ArrayList<>();
    NameWalk walk = new NameWalk(sql, namespace, prefix, after);
    try (Runner runner = door.open()) {
      // Lines may turn out to be over when they are looked at: a short page would look like the
      // last.
      while (page.size() < limit && !walk.isOver()) {
        List<String> names = walk.next(runner, limit - page.size());
        if (!names.isEmpty()) {
          Map<String, Head> heads =
              runner.statement(link -> rows.read(link, namespace, names, Locking.NONE));
          names.forEach(name -> view(heads.get(name)).ifPresent(page::add));
        }
      }
    }
    return page;
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    String name = resource.name();
    try (Runner runner = door.open()) {
      return view(
          runner
              .statement(link -> rows.read(link, resource.namespace(), List.of(name), Locking.NONE))
              .get(name));
    }
  }

  private static Optional<LineView> view(@Nullable Head head) {
    if (head == null || (head.ticket == null && head.seats.isEmpty())) {
      return Optional.empty();
    }
    List<TicketView> tickets = new ArrayList<>();
    if (head.ticket != null && !head.isMarked()) {
      Seat seat = new Seat(0, "", head.joined, head.owner, true);
      seat.weight = 1;
      seat.token = head.token();
      seat.expires = head.expires;
      seat.revoked = head.revoked;
      tickets.add(view(head, seat));
    }
    // Those that are in go first, as in a line that was resized one may wait between them.
    head.seats.stream().filter(Seat::isIn).forEach(seat -> tickets.add(view(head, seat)));
    head.seats.stream().filter(s -> !s.isIn()).forEach(seat -> tickets.add(view(head, seat)));
    return Optional.of(
        new LineView(
            head.resource,
            head.shape(),
            tickets,
            head.isMarked() ? Optional.of(Micros.time(head.expires - head.now)) : Optional.empty(),
            head.isWanted()));
  }

  private static TicketView view(Head head, Seat seat) {
    State in = seat.revoked == null ? State.HOLDING : State.REVOKED;
    return new TicketView(
        seat.isIn() ? in : State.WAITING,
        OwnerText.read(seat.owner),
        seat.token,
        seat.weight,
        Micros.time(Math.max(0, head.now - seat.joined)),
        Micros.time(Math.max(0, seat.expires - head.now)));
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(resource, token, reason, false);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(resource, token, reason, true);
  }

  private Verdict take(Resource resource, long token, String reason, boolean atOnce)
      throws EngineException {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "the holder must be told why: state a reason for " + resource);
    }
    String words = OwnerText.storable(reason);
    try (Runner runner = door.open()) {
      return runner.transaction(
          link -> {
            Map<String, Head> found =
                rows.read(link, resource.namespace(), List.of(resource.name()), Locking.WAIT);
            Head head = found.get(resource.name());
            boolean done = head != null && take(head, Token.grant(token), words, atOnce);
            if (done) {
              writes.write(link, found.values());
              if (tells) {
                writes.tellHolders(link, resource);
              }
            }
            return done ? Verdict.DONE : Verdict.NOT_CURRENT;
          });
    }
  }

  private static boolean take(Head head, long grant, String reason, boolean atOnce) {
    if (head.ticket != null && !head.isMarked() && Token.grant(head.token()) == grant) {
      if (atOnce) {
        head.gone.add(head.ticket, head.now + head.lease, reason);
        AnyRules.passOn(head);
      } else {
        head.revoked = reason;
      }
      head.changed = true;
      return true;
    }
    for (Seat seat : List.copyOf(head.seats)) {
      if (seat.isIn() && Token.grant(seat.token) == grant) {
        if (atOnce) {
          head.gone.add(seat.ticket, head.now + seat.lease, reason);
          head.takeOut(seat);
        } else {
          seat.revoked = reason;
          seat.changed = true;
        }
        head.changed = true;
        return true;
      }
    }
    return false;
  }
}
