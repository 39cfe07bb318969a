package io.holdfast.etcd.admin;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.LeaseNotFoundException;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.Tombstone;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.MarkTable;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.InspectorArguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Lists, revokes and evicts tickets for operators. Each call has a connection of its own. */
public final class EtcdInspector implements EngineInspector {

  private static final int KEYS_A_PAGE = 1000;

  private final Members members;
  private final Duration timeout;
  private final Layout layout;
  private final LeaseRegistry leases;
  private final MarkTable marks;
  private final LongSupplier epochMicros;

  public EtcdInspector(
      Members members,
      Duration timeout,
      Layout layout,
      LeaseRegistry leases,
      MarkTable marks,
      LongSupplier epochMicros) {
    this.members = members;
    this.timeout = timeout;
    this.layout = layout;
    this.leases = leases;
    this.marks = marks;
    this.epochMicros = epochMicros;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    InspectorArguments.requirePage(namespace, limit);
    List<LineView> page = new ArrayList<>();
    try (EtcdConnection connection = new EtcdConnection(members, timeout)) {
      LineViews views = views(connection);
      String last = after;
      boolean more = true;
      while (more && page.size() < limit) {
        RangeResponse found =
            read(connection, Ops.first(layout.named(namespace, prefix, last), KEYS_A_PAGE));
        more = found.getMore();
        for (Map.Entry<String, List<KeyValue>> line :
            lines(namespace, found, connection).entrySet()) {
          if (page.size() < limit) {
            views.of(new Resource(namespace, line.getKey()), line.getValue()).ifPresent(page::add);
          }
          last = line.getKey();
        }
      }
    }
    return page;
  }

  private LineViews views(EtcdConnection connection) {
    return new LineViews(connection, marks, epochMicros.getAsLong() / 1000);
  }

  /** The keys of each name, in the order of names; those of the last one are read completely. */
  private Map<String, List<KeyValue>> lines(
      String namespace, RangeResponse found, EtcdConnection connection) throws EngineException {
    Map<String, List<KeyValue>> lines = new LinkedHashMap<>();
    String last = "";
    for (KeyValue key : found.getKvsList()) {
      last = layout.name(namespace, key.getKey());
      lines.computeIfAbsent(last, name -> new ArrayList<>()).add(key);
    }
    if (found.getMore()) {
      lines.put(last, all(connection, new Resource(namespace, last)));
    }
    return lines;
  }

  private List<KeyValue> all(EtcdConnection connection, Resource resource) throws EngineException {
    return read(connection, Ops.oldest(layout.everything(resource), 0)).getKvsList();
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    try (EtcdConnection connection = new EtcdConnection(members, timeout)) {
      return views(connection).of(resource, all(connection, resource));
    }
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(
        resource,
        token,
        reason,
        (connection, ticket) ->
            List.of(Ops.change(ticket.key(), ticket.revokedFor(reason).value())));
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(
        resource,
        token,
        reason,
        (connection, ticket) -> {
          ByteString left = layout.left(ticket.ticket());
          long lease = leases.tombstoneLease(connection, ticket.keep());
          List<RequestOp> ops = new ArrayList<>();
          ops.add(Ops.delete(ticket.key()));
          ops.add(Ops.put(left, Tombstone.evicted(reason), lease));
          if (Keys.kind(ticket.key()) == 's') {
            Keys keys = layout.of(resource, Shape.semaphore(1));
            ops.add(Ops.nested(HeadRecord.removeWithLast(keys, ticket.key())));
          }
          return ops;
        });
  }

  /** The operations that take a grant away from a ticket. */
  private interface Change {
    List<RequestOp> ops(EtcdConnection connection, TicketRecord ticket) throws EngineException;
  }

  private Verdict take(Resource resource, long token, String reason, Change change)
      throws EngineException {
    InspectorArguments.requireReason(resource, reason);
    try (EtcdConnection connection = new EtcdConnection(members, timeout)) {
      Optional<TicketRecord> holder = holder(all(connection, resource), token);
      while (holder.isPresent()) {
        // What its client has written since it was read must not be undone.
        TicketRecord ticket = holder.get();
        List<Compare> unchanged = List.of(Ops.writtenAt(ticket.key(), ticket.written()));
        if (connection
            .txn(Ops.txn(unchanged, change.ops(connection, ticket), List.of()))
            .getSucceeded()) {
          return Verdict.DONE;
        }
        holder = holder(all(connection, resource), token);
      }
      return Verdict.NOT_CURRENT;
    } catch (LeaseNotFoundException e) {
      leases.doubt();
      throw new EngineException.NotDone(
          "the lease for the tombstone of " + resource + " has ended; try again", e);
    }
  }

  private static Optional<TicketRecord> holder(List<KeyValue> all, long token) {
    LineSnapshot line = LineViews.snapshot(all);
    for (int i = 0; i < line.tickets().size(); i++) {
      TicketRecord ticket = line.tickets().get(i);
      if (Token.grant(ticket.token()) == Token.grant(token) && line.isIn(i)) {
        return Optional.of(ticket);
      }
    }
    return Optional.empty();
  }

  private static RangeResponse read(EtcdConnection connection, RequestOp range)
      throws EngineException {
    try {
      return connection
          .txn(Ops.txn(List.of(), List.of(range), List.of()))
          .getResponses(0)
          .getResponseRange();
    } catch (LeaseNotFoundException e) {
      throw new EngineException.Unknown("the server reported a lease that has ended", e);
    }
  }
}
