package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operator's side. Each call has a connection of its own. */
final class EtcdInspector implements EngineInspector {

  private static final int KEYS_A_PAGE = 1000;

  private final Members members;
  private final Duration timeout;
  private final Shared shared;

  EtcdInspector(Members members, Duration timeout, Shared shared) {
    this.members = members;
    this.timeout = timeout;
    this.shared = shared;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit must be 1.." + MAX_PAGE + ": limit=" + limit);
    }
    List<LineView> page = new ArrayList<>();
    try (Wire wire = new Wire(members, timeout)) {
      Views views = views(wire);
      String last = after;
      boolean more = true;
      while (more && page.size() < limit) {
        RangeResponse found =
            read(wire, Ops.first(shared.layout().named(namespace, prefix, last), KEYS_A_PAGE));
        more = found.getMore();
        for (Map.Entry<String, List<KeyValue>> line : lines(namespace, found, wire).entrySet()) {
          if (page.size() < limit) {
            views.of(new Resource(namespace, line.getKey()), line.getValue()).ifPresent(page::add);
          }
          last = line.getKey();
        }
      }
    }
    return page;
  }

  private Views views(Wire wire) {
    return new Views(wire, shared.marks(), shared.epochMicros().getAsLong() / 1000);
  }

  /** The keys of each name, in the order of names; the last one may have more than were found. */
  private Map<String, List<KeyValue>> lines(String namespace, RangeResponse found, Wire wire)
      throws EngineException {
    Map<String, List<KeyValue>> lines = new LinkedHashMap<>();
    String last = "";
    for (KeyValue key : found.getKvsList()) {
      last = shared.layout().name(namespace, key.getKey());
      lines.computeIfAbsent(last, name -> new ArrayList<>()).add(key);
    }
    if (found.getMore()) {
      lines.put(last, all(wire, new Resource(namespace, last)));
    }
    return lines;
  }

  private List<KeyValue> all(Wire wire, Resource resource) throws EngineException {
    return read(wire, Ops.oldest(shared.layout().everything(resource), 0)).getKvsList();
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    try (Wire wire = new Wire(members, timeout)) {
      return views(wire).of(resource, all(wire, resource));
    }
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(
        resource,
        token,
        reason,
        (wire, seat) -> List.of(Ops.change(seat.key(), seat.revokedFor(reason).value())));
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(
        resource,
        token,
        reason,
        (wire, seat) -> {
          ByteString left = shared.layout().left(seat.ticket());
          long lease = shared.sessions().grave(wire, seat.keep());
          List<RequestOp> ops = new ArrayList<>();
          ops.add(Ops.delete(seat.key()));
          ops.add(Ops.put(left, Tombstone.evicted(reason), lease));
          if (Keys.kind(seat.key()) == 's') {
            Keys keys = shared.layout().of(resource, Shape.semaphore(1));
            ops.add(Ops.nested(Leaving.sweepHeadWith(keys, seat.key())));
          }
          return ops;
        });
  }

  private interface Taking {
    List<RequestOp> ops(Wire wire, Seat seat) throws EngineException;
  }

  private Verdict take(Resource resource, long token, String reason, Taking taking)
      throws EngineException {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "the holder must be told why: state a reason for " + resource);
    }
    try (Wire wire = new Wire(members, timeout)) {
      Optional<Seat> holder = holder(all(wire, resource), token);
      while (holder.isPresent()) {
        // What its client has written since then must not be undone.
        Seat seat = holder.get();
        List<Compare> unchanged = List.of(Ops.writtenAt(seat.key(), seat.written()));
        if (wire.txn(Ops.txn(unchanged, taking.ops(wire, seat), List.of())).getSucceeded()) {
          return Verdict.DONE;
        }
        holder = holder(all(wire, resource), token);
      }
      return Verdict.NOT_CURRENT;
    } catch (LeaseLostException e) {
      shared.sessions().doubt();
      throw new EngineException.NotDone("a lease was over; try again: " + resource, e);
    }
  }

  private static Optional<Seat> holder(List<KeyValue> all, long token) {
    Seats seats = Views.seats(all);
    for (int i = 0; i < seats.seats().size(); i++) {
      Seat seat = seats.seats().get(i);
      if (Token.grant(seat.token()) == Token.grant(token) && seats.isIn(i)) {
        return Optional.of(seat);
      }
    }
    return Optional.empty();
  }

  private static RangeResponse read(Wire wire, RequestOp range) throws EngineException {
    try {
      return wire.txn(Ops.txn(List.of(), List.of(range), List.of()))
          .getResponses(0)
          .getResponseRange();
    } catch (LeaseLostException e) {
      throw new EngineException.Unknown("a read met a lease that is over", e);
    }
  }
}
