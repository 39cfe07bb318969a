package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hangs a ticket on another lease of its client: on one of another length, or on the one that came
 * after the one that it hangs on. It keeps its place and its token, because its key was there all
 * the time; if it is not, nothing is written.
 */
final class Moving {

  private Moving() {}

  /**
   * One that stands there since that revision, whether a look has shown it or not.
   *
   * @param seen null for one too far back in a line that lets in one after another
   */
  static TxnRequest to(long lease, @Nullable Seat seen, ByteString key, long revision) {
    return seen == null ? unseen(key, revision, lease) : txn(seen, lease);
  }

  /** One that a look has shown, if it was not written since. */
  static TxnRequest txn(Seat seat, long lease) {
    // With its value: a permit's token may be the revision at which that was last written.
    return Ops.txn(
        List.of(Ops.writtenAt(seat.key(), seat.written())),
        List.of(Ops.put(seat.key(), seat.value(), lease)),
        List.of());
  }

  /** Its value stays as it is; there, places alone are tokens. */
  private static TxnRequest unseen(ByteString key, long revision, long lease) {
    return Ops.txn(List.of(Ops.createdAt(key, revision)), List.of(Ops.hang(key, lease)), List.of());
  }
}
