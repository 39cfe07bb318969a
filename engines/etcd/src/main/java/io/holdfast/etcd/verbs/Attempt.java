package io.holdfast.etcd.verbs;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.TicketWrites;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.etcd.signals.WatchRegistry;
import io.holdfast.etcd.signals.WatchTarget;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Joins the line of a resource, or reports where the ticket stands in it. */
final class Attempt extends TicketStep<Verb.Attempt> {

  /*
   * Why no rival gets in: a ticket is a key under the lease of its client, and its place in line is
   * the revision at which the key was created, which the cluster assigns in the order of its log. One
   * transaction joins and reads the line, or joins only if the line is empty, so a ticket that finds
   * itself first was first, and no ticket can come before it later. A ticket stays in line until its key is deleted: by its client,
   * by an operator, or with the lease, which the leader ends by its own steady clock. The holder
   * counts the lease from before the keep-alive was sent, and believes in it only after a transaction
   * of the same term has succeeded; so it stops before the leader does. The token is the same
   * revision: places and tokens rise together, and a line is granted in the order of its places.
   *
   * A waiter that has seen all tickets ahead of it leave, but not its own, is first without reading
   * the line. It counts as in only while the lease is sure to last, so that its key cannot have been
   * deleted with the lease since. (It notices a raised generation when it joins again; its place is
   * older than that.)
   *
   * Grants of permits are written down: see LineSnapshot. A renewal need not read the line each time:
   * see HoldWatcher. A ticket that another engine has joined is found by its id among the tickets of
   * its client, and moves to a lease of this engine before it counts as kept: see KeyPool.
   *
   * What breaks it: a leader that was paused for most of a lease and revokes that lease when it
   * continues, though its successor has kept it (the holder is notified by its watch, and a guard
   * refuses it); a cluster that loses committed writes (restored from a backup: raise the
   * generation); and evict, which says so.
   */

  /** What the next transaction is for. */
  private enum Phase {
    JOIN,
    LOOK,
    /** Changes something first; then the attempt completes, joins or looks. */
    CHANGE
  }

  /**
   * A write that the attempt needs before it can go on.
   *
   * @param next what follows it, unless it completes the attempt
   * @param lease that the ticket is attached to after it; 0: as before
   * @param completion completes the attempt if the write succeeded, at that revision; may be null
   */
  private record Change(
      TxnRequest txn, Phase next, long lease, @Nullable LongConsumer completion) {}

  private static final int MOST_TRIPS = 30;

  /**
   * The longest time until the next attempt of a watched ticket. The runtime, which polls every 500
   * ms or sooner, uses the smaller of the two, so this value shows only that the engine needs no
   * poll.
   */
  private static final Duration WATCHED = Duration.ofSeconds(5);

  private static final Duration NOT_WATCHED = Duration.ofMillis(250);

  private final SharedLease lease;
  private final long start;
  private Join join;
  private Phase phase = Phase.JOIN;
  private @Nullable Change change;

  /** The revision at which the ticket joined; 0 if that is not known. */
  private long revision;

  /** The lease that the ticket is attached to, as far as this attempt has joined or read it. */
  private long leaseId;

  private int trips;

  /** The last request only asked whether the name is free. */
  private boolean onlyIfFree;

  /** A transaction of it was executed: from here on the ticket may be in the store. */
  private boolean executed;

  Attempt(VerbContext context, Verb.Attempt verb, long start) {
    super(context, verb, context.tickets().withRemainingLease(verb.ticket()));
    this.lease = context.leases().of(ticket);
    this.start = start;
    this.join = new Join(context, ticket, keys, key);
    recall();
  }

  /** Starts from what this client knows of the ticket. */
  private void recall() {
    TicketTable.Entry known = context.tickets().find(ticket.id());
    TicketTable.Entry expired = context.tickets().findExpired(ticket.id());
    if (expired != null || (known != null && known.in())) {
      // What was seen of it while it was in does not count for where it stands now.
      context.holds().forget(ticket.id());
    }
    if (expired != null) {
      // Its time is over: it may join again, but not go on as if nothing had happened.
      writeThen(Phase.JOIN, Housekeeping.removal(context, expired));
    } else if (known != null && known.key().equals(key) && (known.in() || ticket.waits())) {
      lookFrom(known.revision(), known.lease());
    }
  }

  private void lookFrom(long joined, long attachedTo) {
    revision = joined;
    leaseId = attachedTo;
    phase = Phase.LOOK;
  }

  /** Completes without a trip if all tickets ahead have left. Others probably want it too. */
  boolean completeIfCleared() {
    boolean in = phase == Phase.LOOK && isCleared();
    if (in) {
      verb.complete(granted(/* wanted= */ true, revision, leaseId, revision));
    }
    return in;
  }

  /** Whether all tickets ahead were seen to leave, and the lease of this one is sure to last. */
  private boolean isCleared() {
    TicketTable.Entry known = context.tickets().find(ticket.id());
    return ticket.shape().kind() == Shape.Kind.MUTEX
        && known != null
        && known.lease() == lease.id()
        && lease.isFreshAndConfirmed()
        && context.watches().isCleared(ticket.id());
  }

  @Override
  public SharedLease lease() {
    return lease;
  }

  @Override
  public TxnRequest ask(EtcdConnection connection, boolean alone) throws EngineException {
    if (++trips > MOST_TRIPS) {
      throw new EngineException.NotDone(
          context.refusals().about(ticket) + " changes faster than it can be read", null);
    }
    if (change != null) {
      return change.txn();
    }
    if (phase == Phase.LOOK) {
      return join.look(revision);
    }
    // Most names that are asked for in a batch are free: ask only that, which is shorter.
    onlyIfFree = !alone && trips == 1 && join.triesIfFree();
    join.prepare(connection, lease);
    leaseId = join.lease();
    return onlyIfFree ? join.ifFree() : join.joinAndLook();
  }

  @Override
  public boolean hear(TxnReply reply) throws EngineException {
    executed = true;
    long now = reply.revision();
    if (change != null) {
      return changed(change, reply);
    }
    TxnResponse among = reply.txn();
    if (phase == Phase.JOIN && join.triesIfFree()) {
      if (reply.succeeded()) {
        return joinedFree(now);
      }
      if (onlyIfFree) {
        return AGAIN; // The name is not free: ask again at full length.
      }
      among = reply.parts().get(0).getResponseTxn();
    }
    List<ResponseOp> parts = among.getResponsesList();
    if (!among.getSucceeded()) {
      return diagnosed(join.diagnose(parts, now, reply.connection()));
    }
    if (phase == Phase.JOIN) {
      revision = now;
      join.joined(now);
    }
    LineSnapshot line =
        LineSnapshot.read(
            ticket.shape(), parts.subList(parts.size() - LineSnapshot.QUERY_SIZE, parts.size()));
    TxnRequest upkeep = context.leases().capacities().keep(reply.connection(), keys, line, ticket);
    return upkeep == null ? looked(line, now) : writeThen(Phase.LOOK, upkeep);
  }

  private boolean joinedFree(long now) throws EngineException {
    revision = now;
    join.joined(now);
    TicketRecord own = join.recordIfFree().writtenAt(now);
    return in(LineSnapshot.of(ticket.shape(), List.of(own)), own);
  }

  /** Why the ticket could not join, or is not where it was. */
  private boolean diagnosed(Join.Finding finding) {
    if (finding instanceof Join.Completed completed) {
      verb.complete(completed.standing());
      return DONE;
    } else if (finding instanceof Join.InLine inLine) {
      found(inLine.ticket());
    } else if (finding instanceof Join.InLineElsewhere elsewhere) {
      adopt(elsewhere.ticket());
    } else if (finding instanceof Join.WriteFirst write) {
      writeThen(Phase.JOIN, write.txn());
    } else {
      context.tickets().gone(ticket.id());
      phase = Phase.JOIN;
    }
    return AGAIN;
  }

  /**
   * The ticket is in line by an earlier attempt. If it does not wait, that attempt may have sent a
   * withdrawal that is still under way: then it cannot keep its place. It is removed and joins
   * again, and the late withdrawal finds another ticket.
   */
  private void found(TicketRecord own) {
    if (ticket.waits() || own.revision() == revision) {
      lookFrom(own.revision(), own.lease());
    } else {
      writeThen(Phase.JOIN, TicketWrites.remove(key, own.revision()));
    }
  }

  /** The ticket has a key that another engine has made, and continues from there. */
  private void adopt(TicketRecord own) {
    context.tickets().adopt(ticket, keys, own.key());
    key = own.key();
    join = new Join(context, ticket, keys, key);
    lookFrom(own.revision(), own.lease());
  }

  /** Decides from the line what to report or to do next. */
  private boolean looked(LineSnapshot line, long now) throws EngineException {
    int index = line.indexOf(key);
    TicketRecord own = line.ticketAt(index);
    if (own != null) {
      leaseId = own.lease();
      if (line.isIn(index)) {
        return in(line, own);
      }
      join.requireNoGrowth(own);
    }
    if (line.lacksCapacity()) {
      throw join.capacityUnknown();
    }
    int capacity = line.shape().capacity();
    if (ticket.weight() > capacity) {
      // It was resized: a ticket that can never get in must not block those behind it.
      return withdraw(
          own, () -> verb.fail(context.refusals().heavierThanCapacity(ticket, capacity)));
    }
    if (!ticket.waits()) {
      Standing busy = waiting(line, ahead(line, index), WATCHED);
      return withdraw(own, () -> verb.complete(busy));
    }
    if (leaseId != lease.id()) {
      return move(own);
    }
    return waits(line, index, now);
  }

  /** The ticket is first, or there is room for it. */
  private boolean in(LineSnapshot line, TicketRecord own) throws EngineException {
    if (!own.revoked().isEmpty()) {
      throw context.refusals().revoked(ticket, own.revoked());
    }
    join.requireNoGrowth(own);
    if (leaseId != lease.id()) {
      return move(own);
    }
    if (!lease.hasConfirmed(leaseId)) {
      // Another lane has just made the lease. It is kept and confirmed with the next trip.
      phase = Phase.LOOK;
      return AGAIN;
    }
    boolean semaphore = ticket.shape().kind() == Shape.Kind.SEMAPHORE;
    boolean unwritten = semaphore && !own.granted();
    if (unwritten || ticket.weight() < own.weight()) {
      return admit(line, own, unwritten, semaphore ? keys.head() : null);
    }
    verb.complete(granted(line.isWanted(), own.revision(), leaseId, own.counter()));
    return DONE;
  }

  /** Writes that a permit is granted, or that a ticket weighs less, and completes after that. */
  private boolean admit(
      LineSnapshot line, TicketRecord own, boolean unwritten, @Nullable ByteString head) {
    TicketRecord lighter = own.withWeight(ticket.weight());
    TicketRecord admitted = unwritten ? lighter.grantedBy(line.capacity()) : lighter;
    boolean wanted = line.with(admitted).isWanted();
    return write(
        new Change(
            TicketWrites.admit(admitted, head, line.capacity()),
            Phase.LOOK,
            0,
            now ->
                verb.complete(
                    granted(
                        wanted, admitted.revision(), leaseId, admitted.writtenAt(now).counter()))));
  }

  /**
   * Removes the ticket as it was read, and completes the attempt only after that. A ticket that was
   * admitted since must not be removed by a late request.
   */
  private boolean withdraw(@Nullable TicketRecord seen, Runnable completion) {
    return write(
        new Change(
            TicketWrites.withdraw(key, revision, seen),
            Phase.LOOK,
            0,
            now -> {
              context.tickets().gone(ticket.id());
              context.stopWatching(ticket.id());
              completion.run();
            }));
  }

  /**
   * The ticket is not attached to the lease that was kept, so that lease says nothing about it.
   *
   * @param seen the ticket as it was read; null if the snapshot did not reach that far back
   */
  private boolean move(@Nullable TicketRecord seen) throws EngineException {
    long target = lease.require();
    TxnRequest move =
        seen == null
            ? TicketWrites.move(key, revision, leaseId, target)
            : TicketWrites.move(seen, target);
    return write(new Change(move, Phase.LOOK, target, null));
  }

  private boolean writeThen(Phase next, TxnRequest txn) {
    return write(new Change(txn, next, 0, null));
  }

  /** Writes next: the attempt is not complete. */
  private boolean write(Change next) {
    change = next;
    phase = Phase.CHANGE;
    return AGAIN;
  }

  private boolean changed(Change done, TxnReply reply) {
    change = null;
    phase = done.next();
    if (!reply.succeeded()) {
      readLease(reply);
      return AGAIN;
    }
    if (done.completion() != null) {
      done.completion().accept(reply.revision());
      return DONE;
    }
    leaseId = done.lease() != 0 ? done.lease() : leaseId;
    return AGAIN;
  }

  /** A move that found the ticket under another lease has read it. */
  private void readLease(TxnReply reply) {
    for (ResponseOp part : reply.parts()) {
      for (KeyValue found : part.getResponseRange().getKvsList()) {
        TicketRecord own = TicketRecord.read(found);
        leaseId = own.isOf(ticket.id()) ? own.lease() : leaseId;
      }
    }
  }

  /**
   * Records that the ticket is in, and returns the grant, which counts from the start of the
   * attempt.
   *
   * @param joined the revision at which it joined
   * @param attachedTo its lease
   * @param counter of its token
   */
  private Standing.Granted granted(boolean wanted, long joined, long attachedTo, long counter) {
    context.stopWatching(ticket.id());
    Duration valid = lease.validFor(attachedTo, ticket.lease(), start);
    context.tickets().keep(ticket, key, joined, attachedTo, start + valid.toNanos());
    context.holds().entered(new HoldWatcher.HeldState(ticket, key, joined, attachedTo, wanted));
    return new Standing.Granted(Token.of(ticket.generation(), counter), valid, wanted);
  }

  /**
   * Arms the watch and reports that the ticket waits. The line was read before: see WatchRegistry.
   */
  private boolean waits(LineSnapshot line, int index, long now) {
    WatchTarget target = WatchTarget.ofWaiter(keys, line, index, key);
    WatchRegistry.Armed armed =
        context.watches().arm(ticket.id(), target, now, () -> woken(revision));
    int ahead = context.tickets().keepWaiting(ticket, key, revision, leaseId, ahead(line, index));
    verb.complete(waiting(line, ahead, retryAfter(armed)));
    return DONE;
  }

  private static Duration retryAfter(WatchRegistry.Armed armed) {
    return switch (armed) {
      case YES -> WATCHED;
      case ASK_AGAIN -> Duration.ZERO;
      case NO -> NOT_WATCHED;
    };
  }

  private int ahead(LineSnapshot line, int index) {
    int ahead = index >= 0 ? index : (int) line.total() - 1;
    return ticket.shape().order() == Order.ANY ? 0 : ahead;
  }

  private static Standing waiting(LineSnapshot line, int ahead, Duration retryAfter) {
    return new Standing.Waiting(
        ahead, retryAfter, line.tickets().stream().findFirst().map(TicketRecord::asHolder));
  }

  /** The watch of a waiting ticket has fired: the ticket may be in without a trip. */
  private void woken(long joined) {
    Standing.@Nullable Granted granted;
    // Until it is known to be in, it must not be removed for not having asked for long.
    context.tickets().begin(ticket.id());
    try {
      TicketTable.Entry known = context.tickets().find(ticket.id());
      granted =
          known != null && isCleared()
              ? granted(/* wanted= */ true, joined, known.lease(), joined)
              : null;
    } finally {
      context.tickets().end(ticket.id());
    }
    if (granted != null) {
      verb.wake().granted(granted);
    } else {
      verb.wake().wake();
    }
  }

  @Override
  public void fail(EngineException failure) {
    EngineException why = executed ? unknownIfNotDone(failure) : failure;
    if (revision == 0) {
      context.tickets().failed(ticket.id(), why);
    } else {
      context.tickets().doubt(ticket.id());
    }
    verb.fail(why);
  }

  /** After some of its transactions were executed, the outcome of the attempt is unknown. */
  private EngineException unknownIfNotDone(EngineException failure) {
    return failure instanceof EngineException.NotDone
        ? new EngineException.Unknown(
            context.refusals().about(ticket)
                + " was asked for, but not all requests were executed: "
                + failure.getMessage(),
            failure)
        : failure;
  }
}
