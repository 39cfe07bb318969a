package io.holdfast.etcd.verbs;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.etcd.layout.TicketRecord;
import io.holdfast.etcd.layout.TicketWrites;
import io.holdfast.etcd.session.MarkTable;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Steps that share the trips of verbs: remove expired tickets and marks, check holds. */
final class Housekeeping {

  private Housekeeping() {}

  /** Removes all tickets and marks whose time is over. */
  static List<TxnStep> expired(VerbContext context) {
    List<TxnStep> steps = new ArrayList<>();
    for (TicketTable.Entry entry : context.tickets().takeExpired()) {
      steps.add(new RemoveTicket(context, entry));
    }
    for (MarkTable.Mark mark : context.marks().takeExpired()) {
      steps.add(new RemoveMark(context.marks(), mark));
    }
    return steps;
  }

  /**
   * Checks the holds that were not read for longest.
   *
   * @param most how many
   * @param now whether to check any before it is time
   */
  static List<TxnStep> checks(VerbContext context, int most, boolean now) {
    List<TxnStep> steps = new ArrayList<>();
    for (HoldWatcher.HeldState state : context.holds().takeForCheck(most, now)) {
      steps.add(new CheckHold(context, state));
    }
    return steps;
  }

  /** Removes a ticket whose own time is over from the store, if it is still the same ticket. */
  static TxnRequest removal(VerbContext context, TicketTable.Entry entry) {
    Set<Long> leases = new LinkedHashSet<>(context.leases().ids());
    if (entry.isDoubtful()) {
      // No other ticket uses its key. Under a lease that this client had before, it ends with that.
      return TicketWrites.removeFromLeases(entry.key(), leases);
    }
    leases.add(entry.lease());
    return TicketWrites.removeFromLeases(entry.key(), entry.revision(), leases);
  }

  /** A resource that no other step has, so that the step can share a trip with any of them. */
  private static Resource ownResource(Ticket.Id id) {
    return new Resource("default", id.encoded());
  }

  /** Removes a ticket of this client whose time is over, while the client's lease goes on. */
  private static final class RemoveTicket implements TxnStep {

    private final VerbContext context;
    private final TicketTable.Entry entry;

    RemoveTicket(VerbContext context, TicketTable.Entry entry) {
      this.context = context;
      this.entry = entry;
    }

    @Override
    public Resource resource() {
      return ownResource(entry.id());
    }

    @Override
    public TxnRequest ask(EtcdConnection connection, boolean alone) {
      return removal(context, entry);
    }

    @Override
    public boolean hear(TxnReply reply) {
      context.tickets().removed(entry);
      if (!entry.isDoubtful()) {
        context.stopWatching(entry.id());
      }
      return DONE;
    }

    @Override
    public void fail(EngineException failure) {
      context.tickets().notRemoved(entry);
    }
  }

  /** Removes a mark whose time is over, while its lease lasts longer. */
  private static final class RemoveMark implements TxnStep {

    private final MarkTable marks;
    private final MarkTable.Mark mark;

    RemoveMark(MarkTable marks, MarkTable.Mark mark) {
      this.marks = marks;
      this.mark = mark;
    }

    @Override
    public Resource resource() {
      return mark.resource();
    }

    @Override
    public TxnRequest ask(EtcdConnection connection, boolean alone) {
      return HeadRecord.removeMark(mark.key(), mark.written());
    }

    @Override
    public boolean hear(TxnReply reply) {
      return DONE;
    }

    @Override
    public void fail(EngineException failure) {
      marks.notRemoved(mark);
    }
  }

  /**
   * Reads a held ticket whose turn it is. If it has changed, its own next renewal reads it again
   * and reports what happened.
   */
  private static final class CheckHold implements TxnStep {

    private final HoldWatcher holds;
    private final HoldWatcher.HeldState expected;
    private final Keys keys;
    private final Shape shape;

    CheckHold(VerbContext context, HoldWatcher.HeldState expected) {
      this.holds = context.holds();
      this.expected = expected;
      this.shape = expected.ticket().shape();
      this.keys = context.layout().of(expected.ticket().resource(), shape);
    }

    /** It only reads, so it may share a trip with steps that change the line. */
    @Override
    public Resource resource() {
      return ownResource(expected.ticket().id());
    }

    @Override
    public TxnRequest ask(EtcdConnection connection, boolean alone) {
      return Ops.txn(List.of(), LineSnapshot.holderQuery(keys, shape), List.of());
    }

    @Override
    public boolean hear(TxnReply reply) {
      if (!isAsExpected(LineSnapshot.read(shape, reply.parts()))) {
        holds.differs(expected);
      }
      return DONE;
    }

    private boolean isAsExpected(LineSnapshot line) {
      ByteString key = expected.key();
      int index = line.indexOf(key);
      TicketRecord own = line.ticketAt(index);
      return own != null
          && line.isIn(index)
          && own.revision() == expected.revision()
          && own.lease() == expected.lease()
          && own.revoked().isEmpty()
          && line.isWanted() == expected.wanted();
    }

    /** After a refusal, such as for lack of rights, the next renewal reads it again. */
    @Override
    public void fail(EngineException failure) {
      if (failure instanceof EngineException.Refused) {
        holds.differs(expected);
      }
    }
  }
}
