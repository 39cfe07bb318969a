package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Armed;
import io.holdfast.etcd.wire.Watched;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt: joins and looks in one transaction, or looks again. */
final class Attempting implements Errand {

  private static final int TOO_OFTEN = 30;

  private final Shared shared;
  private final Verb.Attempt verb;
  private final Ticket ticket;
  private final Keys keys;
  private final Session session;
  private final long start;
  private ByteString key;
  private Joining joining;
  private Look look;
  private Reply reply;
  private Step step = Step.JOIN;
  private Change change = Change.NOTHING;
  private @Nullable Runnable farewell;

  /** The line as it is when the change is done that lets the ticket in. */
  private @Nullable Seats entered;

  private long revision;

  /** The lease that the ticket hangs on, as far as this has joined or seen it. */
  private long lease;

  private int asked;

  /** What was asked last was only whether the name is free. */
  private boolean brief;

  /** A transaction of it was executed: from here on it may be in the store. */
  private boolean heard;

  Attempting(Shared shared, Verb.Attempt verb, long start) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = shared.places().noShorter(verb.ticket());
    this.keys = shared.layout().of(ticket.resource(), ticket.shape());
    shared.places().begin(ticket.id());
    this.key = shared.places().key(ticket, keys);
    this.session = shared.sessions().of(ticket);
    this.start = start;
    this.look = new Look(keys, ticket.shape(), key);
    this.joining = new Joining(shared, ticket, keys, key);
    this.reply = new Reply(shared, verb, ticket, key, session, start);
    remember();
  }

  /** It stands on a key that another engine has made, and goes on from there. */
  private void adopt(Seat seat) {
    shared.places().adopt(ticket, keys, seat.key());
    key = seat.key();
    look = new Look(keys, ticket.shape(), key);
    joining = new Joining(shared, ticket, keys, key);
    reply = new Reply(shared, verb, ticket, key, session, start);
    revision = seat.revision();
    lease = seat.lease();
    step = Step.LOOK;
  }

  /** Begins where this client knows that the ticket stands. */
  private void remember() {
    Places.Place known = shared.places().find(ticket.id());
    Places.Place ended = shared.places().findEnded(ticket.id());
    if (ended != null || (known != null && known.in())) {
      // What was seen of it while it was in does not count for where it stands then.
      shared.looks().forget(ticket.id());
    }
    if (ended != null) {
      // Its time is over: it may come anew, but not go on as if nothing had been.
      change(Change.thenJoin(Expiring.txn(shared, ended)));
    } else if (known != null && known.key().equals(key) && (known.in() || ticket.waits())) {
      revision = known.revision();
      lease = known.lease();
      step = Step.LOOK;
    }
  }

  /** Whether it is complete without a trip. That others want it too then is likely. */
  boolean isCleared() {
    boolean in = step == Step.LOOK && reply.hasSeenAllGo();
    if (in) {
      reply.granted(/* wanted= */ true, revision, lease, revision);
    }
    return in;
  }

  /** It changes something next: it is not complete. */
  private boolean change(Change next) {
    change = next;
    step = Step.CHANGE;
    return false;
  }

  @Override
  public Resource resource() {
    return ticket.resource();
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) throws EngineException {
    if (++asked > TOO_OFTEN) {
      throw new EngineException.NotDone(
          shared.refusals().about(ticket) + " changes faster than it can be looked at", null);
    }
    // Most names that are asked for in a crowd are free, and what all send is one entry in the log.
    brief = step == Step.JOIN && !alone && asked == 1 && joining.triesAlone();
    return switch (step) {
      case JOIN -> joining(wire);
      case LOOK -> joining.looking(revision, look.ops(revision));
      case CHANGE -> change.txn();
    };
  }

  private TxnRequest joining(Wire wire) throws EngineException {
    joining.keepHead(wire);
    lease = session.require();
    Seat seat = joining.seat(lease);
    return brief ? joining.ifFree(seat, lease, List.of()) : joining.txn(seat, lease, look.ops(0));
  }

  @Override
  public boolean hear(TxnResponse answer, long now, Wire wire) throws EngineException {
    heard = true;
    if (step == Step.CHANGE) {
      return changed(answer.getSucceeded(), now);
    }
    TxnResponse among = answer;
    if (step == Step.JOIN && joining.triesAlone()) {
      if (answer.getSucceeded()) {
        revision = now;
        joining.joined(now);
        Seat own = joining.asFirst(joining.seat(lease)).writtenAt(now);
        return in(Seats.of(ticket.shape(), own), own);
      }
      if (brief) {
        return false;
      }
      among = answer.getResponses(0).getResponseTxn();
    }
    List<ResponseOp> parts = among.getResponsesList();
    if (!among.getSucceeded()) {
      return diagnose(joining.diagnose(parts, now, wire));
    }
    if (step == Step.JOIN) {
      revision = now;
      joining.joined(now);
    }
    List<ResponseOp> shown = parts.subList(parts.size() - Look.PARTS, parts.size());
    Seats seats = look.seats(shown);
    TxnRequest hang = shared.sessions().heads().care(wire, keys, seats.size(), ticket);
    return hang == null ? looked(shown, seats, now) : change(Change.thenLook(hang));
  }

  private boolean changed(boolean done, long now) {
    Runnable answer = farewell;
    Seats line = entered;
    farewell = null;
    entered = null;
    if (answer != null && done) {
      shared.places().gone(ticket.id());
      shared.disarm(ticket.id());
      answer.run();
      return true;
    }
    Seat own = line == null ? null : line.find(key);
    if (line != null && own != null && done) {
      reply.granted(line.isWanted(), own.revision(), lease, own.writtenAt(now).counter());
      return true;
    }
    lease = done && change.lease() != 0 ? change.lease() : lease;
    step = change.joins() ? Step.JOIN : Step.LOOK;
    return false;
  }

  private boolean diagnose(Joining.Finding finding) {
    if (finding instanceof Joining.Answer known) {
      verb.complete(known.standing());
      return true;
    } else if (finding instanceof Joining.Standing there) {
      found(there.seat());
    } else if (finding instanceof Joining.Elsewhere there) {
      adopt(there.seat());
    } else if (finding instanceof Joining.Mend mend) {
      change(Change.thenJoin(mend.txn()));
    } else {
      shared.places().gone(ticket.id());
      step = Step.JOIN;
    }
    return false;
  }

  /**
   * It stands there by an attempt before this one. If it does not wait, that attempt may have sent
   * behind it what takes it out again: where it stands nothing can be built on, so it comes anew,
   * and what is on its way finds that it is not the same.
   */
  private void found(Seat seat) {
    if (ticket.waits() || seat.revision() == revision) {
      revision = seat.revision();
      lease = seat.lease();
      step = Step.LOOK;
    } else {
      change(Change.anew(key, seat.revision()));
    }
  }

  private boolean looked(List<ResponseOp> parts, Seats seats, long now) throws EngineException {
    int index = seats.indexOf(key);
    Seat own = index < 0 ? null : seats.seats().get(index);
    if (own != null) {
      lease = own.lease();
      if (seats.isIn(index)) {
        return in(seats, own);
      }
      joining.requireNoGrowth(own);
    }
    int capacity = seats.shape().capacity();
    if (ticket.weight() > capacity) {
      // It was resized meanwhile; one that can never get in must not keep those behind it waiting.
      return withdraw(
          own, () -> verb.fail(shared.refusals().heavierThanCapacity(ticket, capacity)));
    }
    if (!ticket.waits()) {
      Standing standing = reply.busy(seats, index);
      return withdraw(own, () -> verb.complete(standing));
    }
    if (lease != session.id()) {
      return move(own);
    }
    reply.waits(seats, index, revision, lease, arm(look.watch(parts, seats, index), now));
    return true;
  }

  private Armed arm(Watched watched, long seen) {
    return shared.watches().arm(ticket.id(), watched, seen, () -> reply.woken(revision));
  }

  /**
   * Takes the ticket out as it was seen, and answers only then. One that was let in since must not
   * be taken out by what is late, whoever sent that.
   */
  private boolean withdraw(@Nullable Seat seen, Runnable answer) {
    farewell = answer;
    return change(Change.withdrawal(key, revision, seen));
  }

  /** It hangs on another lease than the one that was kept: what that one lasts says nothing. */
  private boolean move(@Nullable Seat seen) throws EngineException {
    return change(Change.move(key, revision, seen, session.require()));
  }

  private boolean in(Seats seats, Seat seat) throws EngineException {
    if (!seat.revoked().isEmpty()) {
      throw shared.refusals().revoked(ticket, seat.revoked());
    }
    joining.requireNoGrowth(seat);
    if (lease != session.id()) {
      return move(seat);
    }
    if (!session.hasConfirmed(lease)) {
      // Another lane has just made it. It is kept and confirmed with the next step.
      step = Step.LOOK;
      return false;
    }
    boolean semaphore = ticket.shape().kind() == Shape.Kind.SEMAPHORE;
    boolean untold = semaphore && !seat.granted();
    if (untold || ticket.weight() < seat.weight()) {
      Seat lighter = seat.withWeight(ticket.weight());
      Seat told = untold ? lighter.letIn(seats.size().isResized()) : lighter;
      entered = seats.with(told);
      return change(Change.letIn(told, semaphore ? keys.head() : null, seats.size()));
    }
    reply.granted(seats.isWanted(), seat.revision(), lease, seat.counter());
    return true;
  }

  @Override
  public void fail(EngineException failure) {
    EngineException why = heard ? reply.notAll(failure) : failure;
    if (revision == 0) {
      shared.places().failed(ticket.id(), why);
    } else {
      shared.places().doubt(ticket.id());
    }
    verb.fail(why);
  }

  @Override
  public void over() {
    shared.places().end(ticket.id());
  }
}
