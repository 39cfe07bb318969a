package io.holdfast.jdbc.table.admin;

import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.RowLocking;
import io.holdfast.jdbc.table.layout.RowReader;
import io.holdfast.jdbc.table.layout.RowWriter;
import io.holdfast.jdbc.table.layout.StorableText;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.TicketRow;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView.State;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.InspectorArguments;
import io.holdfast.spi.support.OwnerText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists and shows lines for operators, and revokes and evicts holders.
 *
 * <p>Reading locks nothing and begins no transaction, which would block other clients of a database
 * file: a resource and its line may be read at slightly different times. Revoking and evicting are
 * transactions on the resource's row.
 */
public final class TableInspector implements EngineInspector {

  /** Opens a connection for one request. */
  @FunctionalInterface
  public interface Door {

    /** Returns a runner that the request closes. */
    SqlRunner open() throws EngineException;
  }

  private final Door door;
  private final TableSql sql;
  private final RowReader rows;
  private final RowWriter writes;
  private final boolean notifiesHolders;

  /**
   * Creates an inspector of these tables.
   *
   * @param signals whether waiters are notified
   * @param notifiesHolders whether the database can notify holders
   */
  public TableInspector(Door door, TableSql sql, boolean signals, boolean notifiesHolders) {
    this.door = door;
    this.sql = sql;
    this.rows = new RowReader(sql);
    this.writes = new RowWriter(sql, signals);
    this.notifiesHolders = notifiesHolders;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    InspectorArguments.requirePage(namespace, limit);
    List<LineView> page = new ArrayList<>();
    NameListing walk = new NameListing(sql, namespace, prefix, after);
    try (SqlRunner runner = door.open()) {
      // Lines may be over when they are read: a short page would look like the last one.
      while (page.size() < limit && !walk.isOver()) {
        List<String> names = walk.next(runner, limit - page.size());
        if (!names.isEmpty()) {
          Map<String, ResourceRow> heads =
              runner.statement(
                  connection -> rows.read(connection, namespace, names, RowLocking.NONE));
          names.forEach(name -> view(heads.get(name)).ifPresent(page::add));
        }
      }
    }
    return page;
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    String name = resource.name();
    try (SqlRunner runner = door.open()) {
      return view(
          runner
              .statement(
                  connection ->
                      rows.read(connection, resource.namespace(), List.of(name), RowLocking.NONE))
              .get(name));
    }
  }

  private static Optional<LineView> view(@Nullable ResourceRow head) {
    if (head == null || (head.ticket == null && head.ticketRows.isEmpty())) {
      return Optional.empty();
    }
    List<TicketView> tickets = new ArrayList<>();
    if (head.ticket != null && !head.isMarked()) {
      TicketRow ticketRow = new TicketRow(0, "", head.joined, head.owner, true);
      ticketRow.weight = 1;
      ticketRow.token = head.token();
      ticketRow.expires = head.expires;
      ticketRow.revoked = head.revoked;
      tickets.add(view(head, ticketRow));
    }
    // Holders first: in a line that was resized, a waiter may stand between them.
    head.ticketRows.stream()
        .filter(TicketRow::isIn)
        .forEach(ticketRow -> tickets.add(view(head, ticketRow)));
    head.ticketRows.stream()
        .filter(s -> !s.isIn())
        .forEach(ticketRow -> tickets.add(view(head, ticketRow)));
    return Optional.of(
        new LineView(
            head.resource,
            head.shape(),
            tickets,
            head.isMarked() ? Optional.of(Micros.time(head.expires - head.now)) : Optional.empty(),
            head.isWanted()));
  }

  private static TicketView view(ResourceRow head, TicketRow ticketRow) {
    State in = ticketRow.revoked == null ? State.HOLDING : State.REVOKED;
    return new TicketView(
        ticketRow.isIn() ? in : State.WAITING,
        OwnerText.read(ticketRow.owner),
        ticketRow.token,
        ticketRow.weight,
        Micros.time(Math.max(0, head.now - ticketRow.joined)),
        Micros.time(Math.max(0, ticketRow.expires - head.now)));
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
    InspectorArguments.requireReason(resource, reason);
    String words = StorableText.of(reason);
    try (SqlRunner runner = door.open()) {
      return runner.transaction(
          connection -> {
            Map<String, ResourceRow> found =
                rows.read(
                    connection, resource.namespace(), List.of(resource.name()), RowLocking.WAIT);
            ResourceRow head = found.get(resource.name());
            boolean done = head != null && take(head, Token.grant(token), words, atOnce);
            if (done) {
              writes.write(connection, found.values());
              if (notifiesHolders) {
                writes.tellHolders(connection, resource);
              }
            }
            return done ? Verdict.DONE : Verdict.NOT_CURRENT;
          });
    }
  }

  private static boolean take(ResourceRow head, long grant, String reason, boolean atOnce) {
    if (head.ticket != null && !head.isMarked() && Token.grant(head.token()) == grant) {
      if (atOnce) {
        head.gone.add(head.ticket, head.now + head.lease, reason);
        head.passOn();
      } else {
        head.revoked = reason;
      }
      head.changed = true;
      return true;
    }
    for (TicketRow ticketRow : List.copyOf(head.ticketRows)) {
      if (ticketRow.isIn() && Token.grant(ticketRow.token) == grant) {
        if (atOnce) {
          head.gone.add(ticketRow.ticket, head.now + ticketRow.lease, reason);
          head.takeOut(ticketRow);
        } else {
          ticketRow.revoked = reason;
          ticketRow.changed = true;
        }
        head.changed = true;
        return true;
      }
    }
    return false;
  }
}
