package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A renewal: the client's lease is kept, and then the ticket is seen to be in. Writes nothing,
 * unless the ticket hangs on a lease of another length: then it moves. Where the lease was kept a
 * moment ago, and nothing has happened since the last look, it asks nothing.
 */
final class Renewing implements Errand {

  private final Shared shared;
  private final Verb.Renew verb;
  private final Ticket ticket;
  private final Keys keys;
  private final Session session;
  private final long start;
  private ByteString key;
  private Look look;

  /** Another engine may have joined it: it is looked for first. */
  private boolean foreign;

  /** It is not in: what is left to ask is why. */
  private boolean missed;

  /** It hangs on another lease, and moves next. */
  private @Nullable Seat moves;

  /** What is written next, so that the head of the line outlives it. */
  private @Nullable TxnRequest hangs;

  /** The lease that it moves to. */
  private long target;

  /** Where it stands for longer than is asked for: then it is only looked at. */
  private final Places.@Nullable Place fixed;

  private boolean wanted;

  /** At which revision the look was that has shown that. */
  private long looked;

  Renewing(Shared shared, Verb.Renew verb, long start) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = shared.places().noShorter(verb.ticket());
    this.fixed = shared.places().fixedFor(verb.ticket());
    this.keys = shared.layout().of(ticket.resource(), ticket.shape());
    this.foreign = !shared.places().has(ticket.id());
    shared.places().begin(ticket.id());
    this.key = shared.places().key(ticket, keys);
    this.session = shared.sessions().of(ticket);
    this.look = new Look(keys, ticket.shape(), key);
    this.start = start;
  }

  /** One whose time is over is gone, whatever the store says. */
  boolean isOver() {
    if (shared.places().findEnded(ticket.id()) == null) {
      return false;
    }
    verb.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    return true;
  }

  /**
   * Whether it is complete without a trip: nothing has happened since the last look, and the lease
   * is sure to last.
   */
  boolean isQuiet() {
    Looks.Last last = Looks.mayBeQuiet(ticket) ? shared.looks().unchanged(ticket.id()) : null;
    if (last == null || !isKnownAs(last) || last.lease() != session.id() || !session.isSure()) {
      return false;
    }
    wanted = last.wanted();
    complete(last.revision(), last.lease());
    return true;
  }

  private boolean isKnownAs(Looks.Last last) {
    Places.Place known = shared.places().find(ticket.id());
    return known != null
        && known.in()
        && known.key().equals(key)
        && known.revision() == last.revision()
        && known.lease() == last.lease();
  }

  /** Whether the lease is kept with it: that is not sure yet. */
  boolean keepsLease() {
    return fixed == null && !session.isSure();
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public @Nullable Session session() {
    return fixed == null ? session : null;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) throws EngineException {
    if (hangs != null) {
      return hangs;
    }
    if (moves != null) {
      target = session.require();
      return Moving.txn(moves, target);
    }
    if (foreign) {
      return Ops.txn(List.of(), List.of(Ops.oldest(keys.tickets(ticket.id()), 0)), List.of());
    }
    List<RequestOp> ops =
        missed ? List.of(Ops.get(shared.layout().left(ticket.id()))) : look.opsFromWithin();
    return Ops.txn(List.of(), ops, List.of());
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) throws EngineException {
    if (hangs != null) {
      // If it was written meanwhile, it is looked at again.
      hangs = null;
      return false;
    }
    List<ResponseOp> parts = answer.getResponsesList();
    Seat moved = moves;
    if (moved != null) {
      // If it was written meanwhile, it is looked at again.
      moves = null;
      return answer.getSucceeded() && renewed(moved, target);
    }
    if (foreign) {
      foreign = false;
      missed = !adopted(parts.get(0).getResponseRange());
      return false;
    }
    if (missed) {
      Places.Place known = shared.places().find(ticket.id());
      boolean over = known != null && !shared.sessions().has(known.lease());
      return gone(Tombstone.gone(parts.get(0).getResponseRange(), over));
    }
    Seats seats = look.seats(parts);
    looked = revision;
    hangs = shared.sessions().heads().care(wire, keys, seats.size(), ticket);
    return hangs == null && seen(seats);
  }

  /** Whether it is among its client's tickets; then it goes on from there. */
  private boolean adopted(RangeResponse tickets) {
    for (KeyValue found : tickets.getKvsList()) {
      if (Seat.read(found).ticket().equals(ticket.id().encoded())) {
        key = found.getKey();
        look = new Look(keys, ticket.shape(), key);
        shared.places().adopt(ticket, keys, key);
        return true;
      }
    }
    return false;
  }

  private boolean seen(Seats seats) {
    int index = seats.indexOf(key);
    if (index < 0 || !seats.isIn(index) || !isOurs(seats.seats().get(index))) {
      missed = true;
      return false;
    }
    Seat seat = seats.seats().get(index);
    wanted = seats.isWanted();
    if (!seat.revoked().isEmpty()) {
      return gone(new Renewal.Gone(Renewal.Cause.REVOKED, seat.revoked()));
    }
    if (fixed != null && fixed.lease() == seat.lease()) {
      return seen(seat, fixed);
    }
    if (seat.lease() != session.id()) {
      moves = seat;
      return false;
    }
    return renewed(seat, seat.lease());
  }

  /** It is there, and its end stays as it is. */
  private boolean seen(Seat seat, Places.Place known) {
    shared
        .looks()
        .looked(new Looks.Last(ticket, key, seat.revision(), seat.lease(), wanted), looked);
    Duration left = Duration.ofNanos(Math.max(0, known.sure() - start));
    verb.complete(new Renewal.Renewed(left, wanted));
    return true;
  }

  private boolean renewed(Seat seat, long lease) {
    if (!session.hasConfirmed(lease)) {
      // Another lane has just made it. It is kept and confirmed with the next look.
      return false;
    }
    // Before it is kept: what is remembered of it goes with its place, at the latest.
    shared.looks().looked(new Looks.Last(ticket, key, seat.revision(), lease, wanted), looked);
    complete(seat.revision(), lease);
    return true;
  }

  private void complete(long joined, long lease) {
    Duration valid = session.validFor(lease, ticket.lease(), start);
    shared.places().keep(ticket, key, joined, lease, start + valid.toNanos());
    verb.complete(new Renewal.Renewed(valid, wanted));
  }

  private boolean gone(Renewal.Gone why) {
    shared.looks().forget(ticket.id());
    verb.complete(why);
    return true;
  }

  /**
   * Whether it was let in, for one that waits for permits and has room now has not been told. If it
   * hangs on another lease, as where another engine has kept it, it moves before it counts.
   */
  private boolean isOurs(Seat seat) {
    boolean untold =
        ticket.shape().kind() == io.holdfast.spi.Shape.Kind.SEMAPHORE && !seat.granted();
    return seat.ticket().equals(ticket.id().encoded()) && !untold;
  }

  @Override
  public void fail(EngineException failure) {
    shared.places().failed(ticket.id(), failure);
    verb.fail(failure);
  }

  @Override
  public void over() {
    shared.places().end(ticket.id());
  }
}
