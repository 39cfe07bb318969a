package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;

/** What stands at the head of a line: the capacity of a semaphore, or the mark of a once. */
final class Head {

  /**
   * The size of a semaphore, as a look has shown it.
   *
   * @param made the revision at which the head was made; 0 when there is none
   * @param written the revision at which it was last written
   * @param lease that it hangs on; 0 for none
   */
  record Size(int permits, long made, long written, long lease) {

    /** Of a line that has none. */
    static final Size NONE = new Size(0, 0, 0, 0);

    /** Whether it was written since the line began: those behind may have been let in before. */
    boolean isResized() {
      return written != made;
    }
  }

  private Head() {}

  static Size size(KeyValue head) {
    return new Size(
        capacity(head), head.getCreateRevision(), head.getModRevision(), head.getLease());
  }

  static ByteString capacity(int permits) {
    return ByteString.copyFromUtf8(Integer.toString(permits));
  }

  /** The capacity; what somebody else wrote lets in one at a time. */
  static int capacity(KeyValue head) {
    try {
      int permits = Integer.parseInt(head.getValue().toStringUtf8());
      return Math.max(1, Math.min(permits, Shape.MAX_PERMITS));
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /** A mark: for how long it was asked, and by whom. */
  static ByteString mark(Ticket.Id maker, Duration keep) {
    return ByteString.copyFromUtf8(keep.toMillis() + "\t" + maker.encoded());
  }

  static boolean isMarkOf(KeyValue head, Ticket.Id maker) {
    String text = head.getValue().toStringUtf8();
    return text.substring(text.indexOf('\t') + 1).equals(maker.encoded());
  }

  /** For how long a mark was asked. */
  static Duration kept(KeyValue head) {
    String text = head.getValue().toStringUtf8();
    try {
      return Duration.ofMillis(Long.parseLong(text.substring(0, Math.max(0, text.indexOf('\t')))));
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  /**
   * How long a mark still counts: what was asked for, less what its lease has used up. Leases are
   * counted in whole seconds, of which the last may be nearly over.
   *
   * @param granted the lease's full time in seconds
   * @param left what is left of it, rounded down
   */
  static Duration left(KeyValue head, long granted, long left) {
    Duration used = Duration.ofSeconds(Math.max(0, granted - left - 1));
    Duration most = kept(head).minus(used);
    return most.isNegative() ? Duration.ZERO : most;
  }
}
