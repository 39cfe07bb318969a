package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.TxnRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of an attempt that changes something, and is followed by another step. Each demands
 * that what it changes is still what was seen, so that it does no harm when it comes late.
 *
 * @param joins whether the attempt joins after it; if not, it looks
 * @param lease that the ticket hangs on when it is done; 0: as before
 */
record Change(TxnRequest txn, boolean joins, long lease) {

  static final Change NOTHING = thenJoin(TxnRequest.getDefaultInstance());

  /** Something that must be so before it can join. */
  static Change thenJoin(TxnRequest txn) {
    return new Change(txn, true, 0);
  }

  /** Something that must be so before it can be told where it stands. */
  static Change thenLook(TxnRequest txn) {
    return new Change(txn, false, 0);
  }

  /** Takes out what joined at that revision; then it joins. */
  static Change anew(ByteString key, long revision) {
    return thenJoin(
        Ops.txn(List.of(Ops.createdAt(key, revision)), List.of(Ops.drop(key)), List.of()));
  }

  /**
   * Takes out what was seen. A permit that was let in since was written since.
   *
   * @param seen null where the look shows only the first
   */
  static Change withdrawal(ByteString key, long revision, @Nullable Seat seen) {
    Compare same = seen == null ? Ops.createdAt(key, revision) : Ops.writtenAt(key, seen.written());
    return new Change(Ops.txn(List.of(same), List.of(Ops.drop(key)), List.of()), false, 0);
  }

  /** Hangs it on another lease; seen as above. */
  static Change move(ByteString key, long revision, @Nullable Seat seen, long lease) {
    return new Change(Moving.to(lease, seen, key, revision), false, lease);
  }

  /** Writes down that it is in, if it and the capacity are still what the look has shown. */
  static Change letIn(Seat seat, @Nullable ByteString head, Head.Size size) {
    List<Compare> when = new ArrayList<>(List.of(Ops.writtenAt(seat.key(), seat.written())));
    if (head != null) {
      when.add(Ops.writtenAt(head, size.written()));
    }
    return new Change(
        Ops.txn(when, List.of(Ops.change(seat.key(), seat.value())), List.of()), false, 0);
  }
}
