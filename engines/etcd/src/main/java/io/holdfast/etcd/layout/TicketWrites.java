package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that change one ticket, only if it is still as it was read. So each of them does no
 * harm if it arrives late.
 */
public final class TicketWrites {

  private TicketWrites() {}

  /** Removes the ticket that joined at that revision. */
  public static TxnRequest remove(ByteString key, long revision) {
    return Ops.txn(List.of(Ops.createdAt(key, revision)), List.of(Ops.delete(key)), List.of());
  }

  /**
   * Removes a ticket that is not in. A permit that was granted since was also written since, and so
   * stays.
   *
   * @param seen the ticket as it was read; null if the snapshot did not reach that far back
   */
  public static TxnRequest withdraw(ByteString key, long revision, @Nullable TicketRecord seen) {
    Compare same = seen == null ? Ops.createdAt(key, revision) : Ops.writtenAt(key, seen.written());
    return Ops.txn(List.of(same), List.of(Ops.delete(key)), List.of());
  }

  /**
   * Removes the ticket that joined at that revision, if it is attached to one of these leases:
   * another engine may continue with the ticket, and has attached it to a lease of its own.
   */
  public static TxnRequest removeFromLeases(ByteString key, long revision, Set<Long> leases) {
    return removeFromLeases(key, List.of(Ops.createdAt(key, revision)), leases);
  }

  /** Removes whatever ticket has that key, if it is attached to one of these leases. */
  public static TxnRequest removeFromLeases(ByteString key, Set<Long> leases) {
    return removeFromLeases(key, List.of(), leases);
  }

  private static TxnRequest removeFromLeases(ByteString key, List<Compare> same, Set<Long> leases) {
    List<RequestOp> delete = List.of(Ops.delete(key));
    TxnRequest txn = TxnRequest.getDefaultInstance();
    for (long lease : leases) {
      List<Compare> when = new ArrayList<>(same);
      when.add(Ops.underLease(key, lease));
      txn = Ops.txn(when, delete, List.of(Ops.nested(txn)));
    }
    return txn;
  }

  /**
   * Attaches the ticket to another lease of its client: one of another length, or the successor of
   * the present one. It keeps its place and its token, because its key exists all the time; if it
   * does not, nothing is written.
   *
   * <p>The lease that it is attached to is compared: a request that arrives late must not attach a
   * ticket that its client has left in the store for a time, and keep that alive.
   *
   * @param from the lease that it is attached to; if it is another, the ticket is read instead
   */
  public static TxnRequest move(ByteString key, long revision, long from, long lease) {
    // The value stays as it is: in lines that admit one at a time, places alone are tokens.
    return Ops.txn(
        List.of(Ops.createdAt(key, revision), Ops.underLease(key, from)),
        List.of(Ops.attach(key, lease)),
        List.of(Ops.get(key)));
  }

  /** Attaches the ticket to another lease of its client, if it was not written since. */
  public static TxnRequest move(TicketRecord seen, long lease) {
    // With its value: a permit's token may be the revision at which that was last written.
    return Ops.txn(
        List.of(Ops.writtenAt(seen.key(), seen.written())),
        List.of(Ops.put(seen.key(), seen.value(), lease)),
        List.of());
  }

  /**
   * Writes that the ticket is in, if the ticket and the capacity are still as they were read.
   *
   * @param head the key of the capacity; null if the line has none
   */
  public static TxnRequest admit(
      TicketRecord ticket, @Nullable ByteString head, HeadRecord.Capacity capacity) {
    List<Compare> when = new ArrayList<>(List.of(Ops.writtenAt(ticket.key(), ticket.written())));
    if (head != null) {
      when.add(Ops.writtenAt(head, capacity.written()));
    }
    return Ops.txn(when, List.of(Ops.change(ticket.key(), ticket.value())), List.of());
  }
}
