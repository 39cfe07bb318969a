package io.holdfast.etcd.verbs;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.StoreRecord;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.Tombstone;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The transaction that joins a line and reads it, with all of its preconditions.
 *
 * <p>If a precondition does not hold, the transaction reads what {@link #diagnose} needs to find
 * out why.
 */
final class Join {

  /** Why a ticket did not join. */
  sealed interface Finding {}

  /** The attempt is complete with this standing. */
  record Completed(Standing standing) implements Finding {}

  /** It is in line already. */
  record InLine(TicketRecord ticket) implements Finding {}

  /** It is in line under another key, by an attempt of another engine. */
  record InLineElsewhere(TicketRecord ticket) implements Finding {}

  /** Something must be written first. */
  record WriteFirst(TxnRequest txn) implements Finding {}

  /** The cause is gone, or taken into account now: try again. */
  record TryAgain() implements Finding {}

  /** How many operations {@link #reads} has. */
  private static final int READS = 4;

  private static final Duration RETRY = Duration.ofMillis(100);

  private final VerbContext context;
  private final Ticket ticket;
  private final Keys keys;
  private final ByteString key;
  private int capacity;

  /** Whether the line was seen to be empty, so that this ticket writes the capacity. */
  private boolean opens;

  /** Up to this revision no other engine has joined the ticket. */
  private long checkedUpTo;

  /** Whether up to there this engine knows all tickets of its client in the line. */
  private boolean allKnown = true;

  /** The lease of the ticket when it joins. */
  private long lease;

  /** The lease for a capacity that this ticket writes. */
  private long capacityLease;

  Join(VerbContext context, Ticket ticket, Keys keys, ByteString key) {
    this.context = context;
    this.ticket = ticket;
    this.keys = keys;
    this.key = key;
    this.capacity = ticket.shape().capacity();
    this.checkedUpTo = context.tickets().knownUpTo(ticket.id(), keys);
  }

  /** Prepares the leases to join with. Blocks for I/O if the ticket may write a capacity. */
  void prepare(EtcdConnection connection, SharedLease shared) throws EngineException {
    capacityLease =
        isSemaphore() ? context.leases().capacities().own(connection, ticket.lease()) : 0;
    lease = shared.require();
  }

  /** The lease that the ticket joins with. */
  long lease() {
    return lease;
  }

  /** Records that the ticket has joined, at that revision. */
  void joined(long revision) {
    context.tickets().know(ticket.id(), keys, allKnown ? revision : 0);
  }

  /** Reads the line for a ticket that joined at that revision. */
  TxnRequest look(long revision) {
    List<Compare> when = guards();
    when.add(Ops.createdAt(key, revision));
    return Ops.txn(when, LineSnapshot.query(keys, ticket.shape(), revision), reads());
  }

  /** The preconditions of every attempt: a compatible store, and no tombstone. */
  private List<Compare> guards() {
    List<Compare> guards = new ArrayList<>();
    guards.add(StoreRecord.matches(context.layout(), ticket));
    guards.add(Ops.absent(context.layout().left(ticket.id())));
    return guards;
  }

  /** Whether {@link #joinAndLook} first tries whether the name is free. */
  boolean triesIfFree() {
    return ticket.weight() <= ticket.shape().capacity();
  }

  /** Joins and reads the line; where nothing is, it joins and is in, and reads nothing. */
  TxnRequest joinAndLook() {
    TxnRequest amongOthers = joinAmongOthers();
    return triesIfFree() ? ifFree(List.of(Ops.nested(amongOthers))) : amongOthers;
  }

  /** Joins only if the name is free: then the ticket is in. */
  TxnRequest ifFree() {
    return ifFree(List.of());
  }

  private TxnRequest ifFree(List<RequestOp> otherwise) {
    List<Compare> when = guards();
    when.add(Ops.empty(context.layout().everything(ticket.resource())));
    List<RequestOp> then = new ArrayList<>();
    if (isSemaphore()) {
      then.add(Ops.put(keys.head(), HeadRecord.capacity(ticket.shape().capacity()), capacityLease));
    }
    then.add(Ops.put(key, recordIfFree().value(), lease));
    return Ops.txn(when, then, otherwise);
  }

  /** The ticket as it joins a free name: permits are granted in the same write. */
  TicketRecord recordIfFree() {
    TicketRecord joins = newRecord(ticket.shape().capacity());
    return isSemaphore() ? joins.grantedFirst() : joins;
  }

  private TicketRecord newRecord(int of) {
    long now = context.epochMicros().getAsLong() / 1000;
    return TicketRecord.of(ticket, isSemaphore() ? of : 0, key, lease, now);
  }

  private boolean isSemaphore() {
    return ticket.shape().kind() == Shape.Kind.SEMAPHORE;
  }

  private TxnRequest joinAmongOthers() {
    if (capacity == Shape.ADOPT) {
      // Never succeeds: it only reads, and the capacity is known then.
      return Ops.txn(List.of(Ops.createdAt(key, -1)), List.of(), readsForJoin());
    }
    List<Compare> when = guards();
    when.add(Ops.absent(key));
    when.add(Ops.noneCreatedAfter(keys.tickets(ticket.id()), checkedUpTo));
    when.add(Ops.empty(keys.before()));
    when.add(Ops.empty(keys.after()));
    if (isSemaphore() && !opens) {
      when.add(Ops.valueIs(keys.head(), HeadRecord.capacity(capacity)));
    }
    if (opens || joinsOnlyIfEmpty()) {
      when.add(Ops.empty(keys.line()));
    }
    List<RequestOp> then = new ArrayList<>();
    if (opens) {
      then.add(Ops.put(keys.head(), HeadRecord.capacity(capacity), capacityLease));
    }
    boolean first = opens && ticket.weight() <= capacity;
    then.add(Ops.put(key, (first ? recordIfFree() : newRecord(capacity)).value(), lease));
    then.addAll(LineSnapshot.query(keys, ticket.shape(), /* revision= */ 0));
    return Ops.txn(when, then, readsForJoin());
  }

  /** A ticket that takes everything and does not wait joins only an empty line. */
  private boolean joinsOnlyIfEmpty() {
    return !ticket.waits() && ticket.weight() >= capacity;
  }

  /** The line has tickets, but no capacity, and none of the tickets states it. */
  EngineException capacityUnknown() {
    return new EngineException.NotDone(
        context.refusals().about(ticket)
            + " has lost its capacity, and the tickets in line do not state it: wait until they"
            + " have left, or resize it",
        null);
  }

  /** Refuses a ticket that asks for more than it has. */
  void requireNoGrowth(TicketRecord own) throws EngineException {
    if (ticket.weight() > own.weight()) {
      throw context.refusals().heavierThanBefore(ticket, own.weight());
    }
  }

  /** What {@link #diagnose} needs. */
  private List<RequestOp> reads() {
    return List.of(
        StoreRecord.read(context.layout(), ticket),
        Ops.get(context.layout().left(ticket.id())),
        Ops.get(key),
        Ops.oldest(context.layout().everything(ticket.resource()), isSemaphore() ? 0 : 2));
  }

  /** And all tickets of this client in the line: another engine may have joined this one. */
  private List<RequestOp> readsForJoin() {
    List<RequestOp> reads = new ArrayList<>(reads());
    reads.add(Ops.oldest(keys.tickets(ticket.id()), 0));
    return reads;
  }

  /** Finds out which precondition did not hold at that revision. */
  Finding diagnose(List<ResponseOp> read, long revision, EtcdConnection connection)
      throws EngineException {
    RangeResponse store = read.get(0).getResponseRange();
    if (!StoreRecord.requireCompatible(store, ticket, context.refusals())) {
      return new WriteFirst(StoreRecord.write(context.layout(), store, ticket));
    }
    Tombstone.requireNone(read.get(1).getResponseRange(), ticket, context.refusals());
    RangeResponse own = read.get(2).getResponseRange();
    if (own.getKvsCount() > 0) {
      return new InLine(requireOwn(TicketRecord.read(own.getKvs(0))));
    }
    if (read.size() > READS) {
      for (KeyValue found : read.get(READS).getResponseRange().getKvsList()) {
        TicketRecord other = TicketRecord.read(found);
        if (other.isOf(ticket.id())) {
          return new InLineElsewhere(other);
        }
        allKnown &= context.tickets().hasMade(found.getKey());
      }
      checkedUpTo = revision;
    }
    RangeResponse all = read.get(3).getResponseRange();
    for (KeyValue found : all.getKvsList()) {
      if (Keys.kind(found.getKey()) != Keys.kind(key)) {
        return otherKind(found, all);
      }
    }
    return isSemaphore() ? semaphore(all, connection) : sameKind(all, connection);
  }

  /** A record of another ticket under this key: the next verb of this ticket gets another key. */
  private TicketRecord requireOwn(TicketRecord record) throws EngineException {
    if (!record.isOf(ticket.id())) {
      context.tickets().changeKey(ticket.id());
      throw new EngineException.NotDone(
          context.refusals().about(ticket) + " has a key that another ticket uses", null);
    }
    return record;
  }

  /** The name has another shape; a capacity without tickets is removed first. */
  private Finding otherKind(KeyValue found, RangeResponse all) throws EngineException {
    char kind = Keys.kind(found.getKey());
    if (kind == 's' && !Keys.isTicket(found.getKey()) && all.getCount() == 1) {
      return new WriteFirst(
          HeadRecord.removeIfUnused(context.layout().of(ticket.resource(), Shape.semaphore(1))));
    }
    int permits =
        head(all)
            .map(HeadRecord::permits)
            .or(() -> witness(all).map(TicketRecord::capacity))
            .orElse(1);
    throw context.refusals().shape(ticket, Keys.shape(kind, permits));
  }

  private static Optional<KeyValue> head(RangeResponse all) {
    return all.getKvsList().stream().filter(kv -> !Keys.isTicket(kv.getKey())).findFirst();
  }

  private static Optional<TicketRecord> witness(RangeResponse all) {
    return LineSnapshot.witness(
        all.getKvsList().stream()
            .filter(kv -> Keys.isTicket(kv.getKey()))
            .map(TicketRecord::read)
            .toList());
  }

  private Finding semaphore(RangeResponse all, EtcdConnection connection) throws EngineException {
    Optional<KeyValue> head = head(all);
    opens = all.getCount() == (head.isPresent() ? 1 : 0);
    if (opens) {
      if (ticket.shape().capacity() == Shape.ADOPT) {
        throw context.refusals().nothingToAdopt(ticket);
      }
      capacity = ticket.shape().capacity();
      return new TryAgain();
    }
    Optional<TicketRecord> witness = head.isPresent() ? Optional.empty() : witness(all);
    if (head.isEmpty() && witness.isEmpty()) {
      throw capacityUnknown();
    }
    int stored =
        head.map(HeadRecord::permits).or(() -> witness.map(TicketRecord::capacity)).orElseThrow();
    if (!ticket.shape().fits(Shape.semaphore(stored))) {
      throw context.refusals().shape(ticket, Shape.semaphore(stored));
    }
    if (ticket.weight() > stored) {
      throw context.refusals().heavierThanCapacity(ticket, stored);
    }
    boolean known = capacity == stored;
    capacity = stored;
    if (witness.isPresent()) {
      return new WriteFirst(
          context.leases().capacities().restore(connection, keys, witness.get(), ticket));
    }
    return known && joinsOnlyIfEmpty() ? busy(all) : new TryAgain();
  }

  private Finding sameKind(RangeResponse all, EtcdConnection connection) throws EngineException {
    for (KeyValue found : all.getKvsList()) {
      if (!Keys.isTicket(found.getKey())) {
        return marked(found, connection);
      }
    }
    return joinsOnlyIfEmpty() && all.getCount() > 0 ? busy(all) : new TryAgain();
  }

  private Finding marked(KeyValue mark, EtcdConnection connection) throws EngineException {
    LeaseTimeToLiveResponse markLease = connection.timeToLive(mark.getLease());
    Duration most = HeadRecord.markLeft(mark, markLease.getGrantedTTL(), markLease.getTTL());
    Duration left = context.marks().left(ticket.resource(), mark, most);
    if (markLease.getTTL() < 0 || left.isZero()) {
      return new WriteFirst(HeadRecord.removeMark(mark.getKey(), mark.getModRevision()));
    }
    Duration shown = Duration.ofSeconds(markLease.getTTL());
    return new Completed(new Standing.Done(shown.compareTo(left) < 0 ? shown : left));
  }

  private static Finding busy(RangeResponse all) {
    Optional<Standing.Holder> holder =
        all.getKvsList().stream()
            .filter(kv -> Keys.isTicket(kv.getKey()))
            .findFirst()
            .map(TicketRecord::read)
            .map(TicketRecord::asHolder);
    return new Completed(
        new Standing.Waiting((int) Math.min(Integer.MAX_VALUE, all.getCount()), RETRY, holder));
  }
}
