package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Joining a line in one transaction, with all that must be so for it; and what it means when it is
 * not so.
 */
final class Joining {

  /** Why a ticket did not join. */
  sealed interface Finding {}

  /** That is the answer. */
  record Answer(io.holdfast.spi.Standing standing) implements Finding {}

  /** It stands in line. */
  record Standing(Seat seat) implements Finding {}

  /** Something must be written first. */
  record Mend(TxnRequest txn) implements Finding {}

  /** It stands in line on another key, by an attempt of another engine. */
  record Elsewhere(Seat seat) implements Finding {}

  /** It was so a moment ago: again. */
  record Again() implements Finding {}

  /** How many parts {@link #reads} has. */
  private static final int READS = 4;

  private static final Duration RETRY = Duration.ofMillis(100);

  private final Shared shared;
  private final Ticket ticket;
  private final Keys keys;
  private final ByteString key;
  private int capacity;
  private boolean opens;

  /** Up to this revision no other engine has joined the ticket. */
  private long clear;

  /** Whether up to there all tickets of its client in the line are known here. */
  private boolean allKnown = true;

  /** The lease for a head that this makes. */
  private long headLease;

  Joining(Shared shared, Ticket ticket, Keys keys, ByteString key) {
    this.shared = shared;
    this.ticket = ticket;
    this.keys = keys;
    this.key = key;
    this.capacity = ticket.shape().capacity();
    this.clear = shared.places().knownUpTo(ticket.id(), keys);
  }

  /** It has joined, at that revision. */
  void joined(long revision) {
    shared.places().know(ticket.id(), keys, allKnown ? revision : 0);
  }

  /** What must be so for any attempt. */
  List<Compare> guards() {
    return List.of(
        StoreRecord.asSaidBy(shared.layout(), ticket),
        Ops.absent(shared.layout().left(ticket.id())));
  }

  /** Before it joins: keeps the lease for a head that it may make. Blocks for I/O. */
  void keepHead(Wire wire) throws EngineException {
    headLease = isSemaphore() ? shared.sessions().heads().own(wire, ticket.lease()) : 0;
  }

  /** The ticket as it joins under that lease. */
  Seat seat(long lease) {
    return Seat.of(ticket, key, lease, shared.epochMicros().getAsLong() / 1000);
  }

  /** Looks from where it stands since that revision. */
  TxnRequest looking(long revision, List<RequestOp> look) {
    List<Compare> when = new ArrayList<>(guards());
    when.add(Ops.createdAt(key, revision));
    return Ops.txn(when, look, reads());
  }

  /** Whether {@link #txn} first asks whether the name is free, where that is all that matters. */
  boolean triesAlone() {
    return ticket.weight() <= ticket.shape().capacity();
  }

  /** Where nothing is, it joins and is in, and there is no line to look at. Else the long way. */
  TxnRequest txn(Seat seat, long lease, List<RequestOp> look) {
    TxnRequest among = among(seat, lease, look);
    return triesAlone() ? ifFree(seat, lease, List.of(Ops.nested(among))) : among;
  }

  /** Joins where nothing is, and is in. */
  TxnRequest ifFree(Seat seat, long lease, List<RequestOp> otherwise) {
    List<Compare> when = new ArrayList<>(guards());
    when.add(Ops.empty(shared.layout().everything(ticket.resource())));
    List<RequestOp> then = new ArrayList<>();
    if (isSemaphore()) {
      then.add(Ops.put(keys.head(), Head.capacity(ticket.shape().capacity()), headLease));
    }
    then.add(Ops.put(key, asFirst(seat).value(), lease));
    return Ops.txn(when, then, otherwise);
  }

  private boolean isSemaphore() {
    return ticket.shape().kind() == Shape.Kind.SEMAPHORE;
  }

  /** The ticket where nobody else is: then permits are let in with the same stroke. */
  Seat asFirst(Seat seat) {
    return isSemaphore() ? seat.letIn(/* resized= */ false) : seat;
  }

  private TxnRequest among(Seat seat, long lease, List<RequestOp> look) {
    if (capacity == Shape.ADOPT) {
      // Never so: it reads, and knows the capacity then.
      return Ops.txn(List.of(Ops.createdAt(key, -1)), List.of(), readsOfAll());
    }
    List<Compare> when = new ArrayList<>(guards());
    when.add(Ops.absent(key));
    when.add(Ops.noneMadeAfter(keys.tickets(ticket.id()), clear));
    when.add(Ops.empty(keys.before()));
    when.add(Ops.empty(keys.behind()));
    if (isSemaphore() && !opens) {
      when.add(Ops.valueIs(keys.head(), Head.capacity(capacity)));
    }
    if (opens || inOneStep()) {
      when.add(Ops.empty(keys.line()));
    }
    List<RequestOp> then = new ArrayList<>();
    if (opens) {
      then.add(Ops.put(keys.head(), Head.capacity(capacity), headLease));
    }
    boolean fits = ticket.weight() <= capacity;
    then.add(Ops.put(key, (opens && fits ? asFirst(seat) : seat).value(), lease));
    then.addAll(look);
    return Ops.txn(when, then, readsOfAll());
  }

  private List<RequestOp> readsOfAll() {
    List<RequestOp> reads = new ArrayList<>(reads());
    reads.add(Ops.oldest(keys.tickets(ticket.id()), 0));
    return reads;
  }

  /** One that takes everything and does not wait joins only where nobody is. */
  private boolean inOneStep() {
    return !ticket.waits() && ticket.weight() >= capacity;
  }

  /** Refuses to take more than it has. */
  void requireNoGrowth(Seat seat) throws EngineException {
    if (ticket.weight() > seat.weight()) {
      throw shared.refusals().heavierThanBefore(ticket, seat.weight());
    }
  }

  /** What {@link #diagnose} needs. */
  List<RequestOp> reads() {
    return List.of(
        StoreRecord.read(shared.layout(), ticket),
        Ops.get(shared.layout().left(ticket.id())),
        Ops.get(key),
        Ops.oldest(shared.layout().everything(ticket.resource()), 2));
  }

  /** Why it was not so, at that revision. */
  Finding diagnose(List<ResponseOp> read, long revision, Wire wire) throws EngineException {
    RangeResponse store = read.get(0).getResponseRange();
    if (!StoreRecord.isAsSaid(store, ticket, shared.refusals())) {
      return new Mend(StoreRecord.write(shared.layout(), store, ticket));
    }
    Tombstone.requireNone(read.get(1).getResponseRange(), ticket, shared.refusals());
    RangeResponse own = read.get(2).getResponseRange();
    if (own.getKvsCount() > 0) {
      return new Standing(requireOwn(Seat.read(own.getKvs(0))));
    }
    if (read.size() > READS) {
      for (KeyValue found : read.get(READS).getResponseRange().getKvsList()) {
        Seat seat = Seat.read(found);
        if (seat.ticket().equals(ticket.id().encoded())) {
          return new Elsewhere(seat);
        }
        allKnown &= shared.places().hasMade(found.getKey());
      }
      clear = revision;
    }
    RangeResponse all = read.get(3).getResponseRange();
    for (KeyValue found : all.getKvsList()) {
      if (Keys.kind(found.getKey()) != Keys.kind(key)) {
        return otherwise(found, all);
      }
    }
    return isSemaphore() ? permits(all) : sameKind(all, wire);
  }

  /** What another ticket has left on its key is not it: with its next verb it gets another key. */
  private Seat requireOwn(Seat seat) throws EngineException {
    if (!seat.ticket().equals(ticket.id().encoded())) {
      shared.places().changeKey(ticket.id());
      throw new EngineException.NotDone(
          shared.refusals().about(ticket) + " has a key that another ticket hangs on", null);
    }
    return seat;
  }

  /** The name is used otherwise; a capacity that nobody uses any more is swept away. */
  private Finding otherwise(KeyValue found, RangeResponse all) throws EngineException {
    char kind = Keys.kind(found.getKey());
    int permits = 1;
    if (kind == 's' && !Keys.isTicket(found.getKey())) {
      if (all.getCount() == 1) {
        return new Mend(
            Leaving.sweepHead(shared.layout().of(ticket.resource(), Shape.semaphore(1))));
      }
      permits = Head.capacity(found);
    }
    throw shared.refusals().shape(ticket, Keys.shape(kind, permits));
  }

  private Finding permits(RangeResponse all) throws EngineException {
    Optional<KeyValue> head =
        all.getKvsList().stream().filter(kv -> !Keys.isTicket(kv.getKey())).findFirst();
    opens = all.getCount() == (head.isPresent() ? 1 : 0);
    if (opens) {
      if (ticket.shape().capacity() == Shape.ADOPT) {
        throw shared.refusals().nothingToAdopt(ticket);
      }
      capacity = ticket.shape().capacity();
      return new Again();
    }
    int stored = head.map(Head::capacity).orElse(1);
    if (!ticket.shape().fits(Shape.semaphore(stored))) {
      throw shared.refusals().shape(ticket, Shape.semaphore(stored));
    }
    if (ticket.weight() > stored) {
      throw shared.refusals().heavierThanCapacity(ticket, stored);
    }
    boolean known = capacity == stored;
    capacity = stored;
    return known && inOneStep() ? busy(all) : new Again();
  }

  private Finding sameKind(RangeResponse all, Wire wire) throws EngineException {
    for (KeyValue found : all.getKvsList()) {
      if (!Keys.isTicket(found.getKey())) {
        return marked(found, wire);
      }
    }
    return inOneStep() && all.getCount() > 0 ? busy(all) : new Again();
  }

  private Finding marked(KeyValue mark, Wire wire) throws EngineException {
    LeaseTimeToLiveResponse lease = wire.timeToLive(mark.getLease());
    Duration most = Head.left(mark, lease.getGrantedTTL(), lease.getTTL());
    Duration left = shared.marks().left(ticket.resource(), mark, most);
    if (lease.getTTL() < 0 || left.isZero()) {
      return new Mend(Unmarking.txn(mark.getKey(), mark.getModRevision()));
    }
    Duration shown = Duration.ofSeconds(lease.getTTL());
    return new Answer(new io.holdfast.spi.Standing.Done(shown.compareTo(left) < 0 ? shown : left));
  }

  private static Finding busy(RangeResponse all) {
    Optional<io.holdfast.spi.Standing.Holder> holder =
        all.getKvsList().stream()
            .filter(kv -> Keys.isTicket(kv.getKey()))
            .findFirst()
            .map(Seat::read)
            .map(Joining::holder);
    return new Answer(
        new io.holdfast.spi.Standing.Waiting(
            (int) Math.min(Integer.MAX_VALUE, all.getCount()), RETRY, holder));
  }

  /** The first of a line, for people. It is kept at most as long as it asked for. */
  static io.holdfast.spi.Standing.Holder holder(Seat seat) {
    return new io.holdfast.spi.Standing.Holder(seat.owner(), seat.token(), seat.keep());
  }
}
