package io.holdfast.etcd.verbs;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.TicketWrites;
import io.holdfast.etcd.layout.Tombstone;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the client's lease, and checks that the ticket is still in.
 *
 * <p>Writes nothing, unless the ticket is attached to another lease: then it moves. Asks nothing if
 * the lease was kept a moment ago and nothing has happened to the line since it was last read.
 */
final class Renew extends TicketStep<Verb.Renew> {

  private final SharedLease lease;
  private final long start;

  /** It is not in: what is left to ask is why. */
  private boolean missed;

  /** It is attached to another lease, and moves next. */
  private @Nullable TicketRecord moves;

  /** What is written next, so that the capacity of the line outlives it and is known. */
  private @Nullable TxnRequest upkeep;

  /** It was to state the capacity of its line, which was changed: that is tried once. */
  private boolean restated;

  /** The lease that it moves to. */
  private long target;

  /** What is known of a fixed lease that lasts longer than asked for: then it is only read. */
  private final TicketTable.@Nullable Entry fixed;

  private boolean wanted;

  /** The revision at which the line was read. */
  private long readAt;

  Renew(VerbContext context, Verb.Renew verb, long start) {
    super(context, verb, context.tickets().withRemainingLease(verb.ticket()));
    this.fixed = context.tickets().findLongerFixed(verb.ticket());
    this.lease = context.leases().of(ticket);
    this.start = start;
  }

  /** Completes without a trip if the ticket's time is over: it is gone, whatever the store has. */
  boolean completeIfExpired() {
    if (context.tickets().findExpired(ticket.id()) == null) {
      return false;
    }
    verb.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    return true;
  }

  /** Completes without a trip if nothing has happened and the lease is sure to last. */
  boolean completeIfUnchanged() {
    HoldWatcher.HeldState last =
        HoldWatcher.canSkipReads(ticket) ? context.holds().findUnchanged(ticket.id()) : null;
    if (last == null
        || !isKnownAs(last)
        || last.lease() != lease.id()
        || !lease.isFreshAndConfirmed()) {
      return false;
    }
    wanted = last.wanted();
    complete(last.revision(), last.lease());
    return true;
  }

  private boolean isKnownAs(HoldWatcher.HeldState last) {
    TicketTable.Entry known = context.tickets().find(ticket.id());
    return known != null
        && known.in()
        && known.key().equals(key)
        && known.revision() == last.revision()
        && known.lease() == last.lease();
  }

  /** Whether the lease is kept with this renewal. */
  boolean keepsLease() {
    return fixed == null && !lease.isFreshAndConfirmed();
  }

  @Override
  public @Nullable SharedLease lease() {
    return fixed == null ? lease : null;
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException {
    if (upkeep != null) {
      return upkeep;
    }
    if (moves != null) {
      target = lease.require();
      return TicketWrites.move(moves, target);
    }
    List<RequestOp> reads;
    if (foreign) {
      reads = List.of(Ops.oldest(keys.tickets(ticket.id()), 0));
    } else if (missed) {
      reads = List.of(Ops.get(context.layout().left(ticket.id())));
    } else {
      reads = LineSnapshot.holderQuery(keys, ticket.shape());
    }
    return Ops.txn(List.of(), reads, List.of());
  }

  @Override
  public boolean hear(TxnReply reply) throws EngineException {
    if (upkeep != null) {
      // Whether this write or another one came first: the line is read again.
      upkeep = null;
      return AGAIN;
    }
    List<ResponseOp> parts = reply.parts();
    TicketRecord moved = moves;
    if (moved != null) {
      // If the ticket was written meanwhile, the line is read again.
      moves = null;
      return reply.succeeded() && renewed(moved, target);
    }
    if (foreign) {
      foreign = false;
      missed = !adopt(parts.get(0).getResponseRange());
      return AGAIN;
    }
    if (missed) {
      TicketTable.Entry known = context.tickets().find(ticket.id());
      boolean leaseOver = known != null && !context.leases().has(known.lease());
      return gone(Tombstone.gone(parts.get(0).getResponseRange(), leaseOver));
    }
    LineSnapshot line = LineSnapshot.read(ticket.shape(), parts);
    readAt = reply.revision();
    upkeep = upkeep(line, reply.connection());
    return upkeep == null && looked(line);
  }

  private @Nullable TxnRequest upkeep(LineSnapshot line, EtcdConnection connection)
      throws EngineException {
    TxnRequest keep = context.leases().capacities().keep(connection, keys, line, ticket);
    TicketRecord own = line.ticketAt(line.indexOf(key));
    if (keep != null || own == null || restated || !line.isOutdated()) {
      return keep;
    }
    restated = true;
    return TicketWrites.admit(own.stating(line.capacity()), keys.head(), line.capacity());
  }

  /** Looks for the ticket among those of its client, and continues with its key. */
  private boolean adopt(RangeResponse tickets) {
    for (KeyValue found : tickets.getKvsList()) {
      if (TicketRecord.read(found).isOf(ticket.id())) {
        key = found.getKey();
        context.tickets().adopt(ticket, keys, key);
        return true;
      }
    }
    return false;
  }

  private boolean looked(LineSnapshot line) {
    int index = line.indexOf(key);
    TicketRecord own = line.ticketAt(index);
    if (own == null || !line.isIn(index) || !isGranted(own)) {
      missed = true;
      return AGAIN;
    }
    wanted = line.isWanted();
    if (!own.revoked().isEmpty()) {
      return gone(new Renewal.Gone(Renewal.Cause.REVOKED, own.revoked()));
    }
    if (fixed != null && fixed.lease() == own.lease()) {
      return stays(own, fixed);
    }
    if (own.lease() != lease.id()) {
      // Another engine may have kept it: it moves before it counts.
      moves = own;
      return AGAIN;
    }
    return renewed(own, own.lease());
  }

  /** Whether it is this ticket, and was granted: a permit may have room and not know it yet. */
  private boolean isGranted(TicketRecord own) {
    boolean unwritten = ticket.shape().kind() == Shape.Kind.SEMAPHORE && !own.granted();
    return own.isOf(ticket.id()) && !unwritten;
  }

  /** The ticket exists, and its end stays as it is. */
  private boolean stays(TicketRecord own, TicketTable.Entry known) {
    remember(own, own.lease());
    Duration left = Duration.ofNanos(Math.max(0, known.validUntil() - start));
    verb.complete(new Renewal.Renewed(left, wanted));
    return DONE;
  }

  private boolean renewed(TicketRecord own, long attachedTo) {
    if (!lease.hasConfirmed(attachedTo)) {
      // Another lane has just made the lease. It is kept and confirmed with the next trip.
      return AGAIN;
    }
    // Before it is kept: what is remembered of it is forgotten with its entry, at the latest.
    remember(own, attachedTo);
    complete(own.revision(), attachedTo);
    return DONE;
  }

  private void remember(TicketRecord own, long attachedTo) {
    context
        .holds()
        .read(new HoldWatcher.HeldState(ticket, key, own.revision(), attachedTo, wanted), readAt);
  }

  private void complete(long joined, long attachedTo) {
    Duration valid = lease.validFor(attachedTo, ticket.lease(), start);
    context.tickets().keep(ticket, key, joined, attachedTo, start + valid.toNanos());
    verb.complete(new Renewal.Renewed(valid, wanted));
  }

  private boolean gone(Renewal.Gone why) {
    context.holds().forget(ticket.id());
    verb.complete(why);
    return DONE;
  }
}
