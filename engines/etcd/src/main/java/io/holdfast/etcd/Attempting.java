package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Watched;
import io.holdfast.etcd.wire.Watches.Armed;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt: joins and looks in one transaction, or looks again. */
final class Attempting implements Errand {

  private static final int TOO_OFTEN = 30;

  /** What the next transaction is for. */
  enum Step {
    JOIN,
    LOOK,
    /** Any of the transactions that change something and are followed by another step. */
    CHANGE
  }

  private final Shared shared;
  private final Verb.Attempt verb;
  private final Ticket ticket;
  private final Keys keys;
  private final ByteString key;
  private final Session session;
  private final Joining joining;
  private final Look look;
  private final Reply reply;
  private Step step = Step.JOIN;
  private Step after = Step.JOIN;
  private TxnRequest change = TxnRequest.getDefaultInstance();
  private @Nullable Runnable farewell;

  /** The line as it is when the change is done that lets the ticket in. */
  private @Nullable Seats entered;

  private long revision;
  private int asked;

  /** What was asked last was only whether the name is free. */
  private boolean brief;

  /** A transaction of it was executed: from here on it may be in the store. */
  private boolean heard;

  Attempting(Shared shared, Verb.Attempt verb, long start) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = verb.ticket();
    this.keys = Keys.of(ticket.resource(), ticket.shape());
    shared.places().begin(ticket.id());
    this.key = shared.places().key(ticket, keys);
    this.session = shared.sessions().of(ticket.lease());
    this.look = new Look(keys, ticket.shape(), key);
    this.joining = new Joining(shared, ticket, keys, key);
    this.reply = new Reply(shared, verb, key, session, start);
    remember();
  }

  /** Begins where this client knows that the ticket stands. */
  private void remember() {
    Places.Place known = shared.places().find(ticket.id());
    Places.Place ended = shared.places().findEnded(ticket.id());
    if (ended != null) {
      // Its time is over: it may come anew, but not go on as if nothing had been.
      change(Expiring.txn(ended), Step.JOIN);
    } else if (known != null && known.key().equals(key)) {
      revision = known.revision();
      step = Step.LOOK;
    }
  }

  /**
   * Whether it is complete without a trip: this client has seen all that were ahead of the ticket
   * go, and the lease that it hangs on is sure to last. That others want it too is likely.
   */
  boolean isCleared() {
    boolean in = step == Step.LOOK && reply.hasSeenAllGo();
    if (in) {
      reply.granted(/* wanted= */ true, revision, revision);
    }
    return in;
  }

  private void change(TxnRequest txn, Step then) {
    change = txn;
    step = Step.CHANGE;
    after = then;
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
      case JOIN ->
          brief
              ? joining.ifFree(seat(), session.require(), List.of())
              : joining.txn(seat(), session.require(), look.ops(0));
      case LOOK -> looking();
      case CHANGE -> change;
    };
  }

  private Seat seat() {
    return Seat.of(ticket, key, session.id(), shared.epochMicros().getAsLong() / 1000);
  }

  private TxnRequest looking() {
    List<Compare> when = new ArrayList<>(joining.guards());
    when.add(Ops.createdAt(key, revision));
    return Ops.txn(when, look.ops(revision), joining.reads());
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
        Seat own = joining.asFirst(seat()).writtenAt(now);
        return in(Seats.of(ticket.shape(), own), own);
      }
      if (brief) {
        return false;
      }
      among = answer.getResponses(0).getResponseTxn();
    }
    List<ResponseOp> parts = among.getResponsesList();
    if (!among.getSucceeded()) {
      return diagnose(joining.diagnose(parts, wire));
    }
    if (step == Step.JOIN) {
      revision = now;
    }
    return looked(parts.subList(parts.size() - Look.PARTS, parts.size()), now);
  }

  private boolean changed(boolean done, long now) {
    if (farewell != null) {
      shared.places().gone(ticket.id());
      shared.watches().disarm(ticket.id());
      farewell.run();
      return true;
    }
    Seats line = entered;
    Seat own = line == null ? null : line.find(key);
    if (line != null && own != null && done) {
      reply.granted(line.isWanted(), own.revision(), own.writtenAt(now).counter());
      return true;
    }
    entered = null;
    step = after;
    return false;
  }

  private boolean diagnose(Joining.Finding finding) {
    if (finding instanceof Joining.Answer known) {
      verb.complete(known.standing());
      return true;
    } else if (finding instanceof Joining.Standing there) {
      revision = there.revision();
      step = Step.LOOK;
    } else if (finding instanceof Joining.Mend mend) {
      change(mend.txn(), Step.JOIN);
    } else {
      shared.places().gone(ticket.id());
      step = Step.JOIN;
    }
    return false;
  }

  private boolean looked(List<ResponseOp> parts, long now) throws EngineException {
    Seats seats = look.seats(parts);
    int index = seats.indexOf(key);
    if (index >= 0 && seats.isIn(index)) {
      return in(seats, seats.seats().get(index));
    }
    if (index >= 0) {
      requireNoGrowth(seats.seats().get(index));
    }
    int capacity = seats.shape().capacity();
    if (ticket.weight() > capacity) {
      // It was resized meanwhile; one that can never get in must not keep those behind it waiting.
      return withdraw(() -> verb.fail(shared.refusals().heavierThanCapacity(ticket, capacity)));
    }
    if (!ticket.waits()) {
      Standing standing = reply.busy(seats, index);
      return withdraw(() -> verb.complete(standing));
    }
    Watched watched = look.watch(parts, seats, index);
    Armed armed = shared.watches().arm(ticket.id(), watched, now, () -> reply.woken(revision));
    reply.waits(seats, index, revision, armed);
    return true;
  }

  /** Takes the ticket out, and answers only then. */
  private boolean withdraw(Runnable answer) {
    farewell = answer;
    change(Ops.txn(List.of(), List.of(Ops.delete(key)), List.of()), Step.JOIN);
    return false;
  }

  private boolean in(Seats seats, Seat seat) throws EngineException {
    if (!seat.revoked().isEmpty()) {
      throw shared.refusals().revoked(ticket, seat.revoked());
    }
    requireNoGrowth(seat);
    boolean untold = ticket.shape().kind() == Shape.Kind.SEMAPHORE && !seat.granted();
    if (untold || ticket.weight() < seat.weight()) {
      Seat lighter = seat.withWeight(ticket.weight());
      letIn(seats, untold ? lighter.letIn(seats.size().isResized()) : lighter);
      return false;
    }
    reply.granted(seats.isWanted(), seat.revision(), seat.counter());
    return true;
  }

  /** Writes down that it is in, if it and the capacity are still what the look has shown. */
  private void letIn(Seats seats, Seat seat) {
    List<Compare> when = new ArrayList<>(List.of(Ops.writtenAt(key, seat.written())));
    if (ticket.shape().kind() == Shape.Kind.SEMAPHORE) {
      when.add(Ops.writtenAt(keys.head(), seats.size().written()));
    }
    List<RequestOp> then = List.of(Ops.change(key, seat.value()));
    change(Ops.txn(when, then, List.of()), Step.LOOK);
    entered = seats.with(seat);
  }

  private void requireNoGrowth(Seat seat) throws EngineException {
    if (ticket.weight() > seat.weight()) {
      throw shared.refusals().heavierThanBefore(ticket, seat.weight());
    }
  }

  @Override
  public void fail(EngineException failure) {
    EngineException why =
        heard && failure instanceof EngineException.NotDone
            ? new EngineException.Unknown(
                shared.refusals().about(ticket) + " was asked for, and the rest not done", failure)
            : failure;
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
