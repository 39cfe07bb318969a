package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    String last = after;
    while (page.size() < limit) {
      List<String> names = names(namespace, prefix, last);
      if (names.isEmpty()) {
        break;
      }
      for (String name : names) {
        if (page.size() < limit) {
          show(new Resource(namespace, name)).ifPresent(page::add);
        }
      }
      last = names.get(names.size() - 1);
    }
    return page;
  }

  /** The next names; the last of them may have more keys, which does not matter. */
  private List<String> names(String namespace, String prefix, String after) throws EngineException {
    Keys.Range range = Keys.named(namespace, prefix, after);
    RangeResponse found = read(List.of(Ops.names(range, KEYS_A_PAGE))).get(0);
    return found.getKvsList().stream()
        .map(kv -> Keys.name(namespace, kv.getKey()))
        .distinct()
        .toList();
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    try (Wire wire = new Wire(members, timeout)) {
      RangeResponse all = read(wire, List.of(Ops.oldest(Keys.everything(resource), 0))).get(0);
      return new Views(wire, shared.epochMicros().getAsLong() / 1000).of(resource, all);
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
          ByteString left = Keys.leftOf(seat.key());
          long lease = shared.sessions().grave(wire, seat.keep());
          return List.of(Ops.delete(seat.key()), Ops.put(left, Tombstone.evicted(reason), lease));
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
      RangeResponse all = read(wire, List.of(Ops.oldest(Keys.everything(resource), 0))).get(0);
      Optional<Seat> holder = holder(all, token);
      if (holder.isEmpty()) {
        return Verdict.NOT_CURRENT;
      }
      Seat seat = holder.get();
      TxnResponse answer =
          wire.txn(
              Ops.txn(
                  List.of(Ops.createdAt(seat.key(), seat.revision())),
                  taking.ops(wire, seat),
                  List.of()));
      return answer.getSucceeded() ? Verdict.DONE : Verdict.NOT_CURRENT;
    } catch (LeaseLostException e) {
      shared.sessions().doubt();
      throw new EngineException.NotDone("a lease was over; try again: " + resource, e);
    }
  }

  private static Optional<Seat> holder(RangeResponse all, long token) {
    Seats seats = Views.seats(all);
    for (int i = 0; i < seats.seats().size(); i++) {
      Seat seat = seats.seats().get(i);
      if (Token.grant(seat.token()) == Token.grant(token) && seats.isIn(i)) {
        return Optional.of(seat);
      }
    }
    return Optional.empty();
  }

  private List<RangeResponse> read(List<RequestOp> ops) throws EngineException {
    try (Wire wire = new Wire(members, timeout)) {
      return read(wire, ops);
    }
  }

  private static List<RangeResponse> read(Wire wire, List<RequestOp> ops) throws EngineException {
    try {
      return wire.txn(Ops.txn(List.of(), ops, List.of())).getResponsesList().stream()
          .map(op -> op.getResponseRange())
          .toList();
    } catch (LeaseLostException e) {
      throw new EngineException.Unknown("a read met a lease that is over", e);
    }
  }
}
