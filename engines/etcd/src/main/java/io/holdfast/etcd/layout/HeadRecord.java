package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;

/** The record at the head of a line: the capacity of a semaphore, or the mark of a once. */
public final class HeadRecord {

  /**
   * The capacity of a semaphore, as it was read.
   *
   * @param created the revision at which the head was created; 0 if there is none
   * @param written the revision at which it was last written
   * @param lease that it is attached to; 0 for none
   */
  public record Capacity(int permits, long created, long written, long lease) {

    /** The capacity of a line without a head. */
    public static final Capacity NONE = new Capacity(0, 0, 0, 0);

    /**
     * Whether it may have changed since that ticket joined, or the line began: tickets further back
     * may be in already. One that is younger than the ticket was written after an earlier one was
     * lost.
     */
    public boolean isResizedFor(long revision) {
      return written != created || revision < created;
    }

    /** Whether there is one. */
    public boolean exists() {
      return created != 0;
    }
  }

  private HeadRecord() {}

  /** Reads the head of a semaphore. */
  public static Capacity readCapacity(KeyValue head) {
    return new Capacity(
        permits(head), head.getCreateRevision(), head.getModRevision(), head.getLease());
  }

  /** The number of permits; 1 if the value was not written by Holdfast. */
  public static int permits(KeyValue head) {
    try {
      int permits = Integer.parseInt(head.getValue().toStringUtf8());
      return Math.max(1, Math.min(permits, Shape.MAX_PERMITS));
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /**
   * Writes the capacity of a line again after it was lost, as one of its tickets states it, if
   * nobody else has, and if the line still has that ticket.
   */
  public static TxnRequest restore(Keys keys, TicketRecord witness, long lease) {
    return Ops.txn(
        List.of(Ops.absent(keys.head()), Ops.writtenAt(witness.key(), witness.written())),
        List.of(Ops.put(keys.head(), capacity(witness.capacity()), lease)),
        List.of());
  }

  /** The value that states a capacity. */
  public static ByteString capacity(int permits) {
    return ByteString.copyFromUtf8(Integer.toString(permits));
  }

  /** The value of a mark: how long to keep it, and the ticket that made it. */
  public static ByteString mark(Ticket.Id maker, Duration keep) {
    return ByteString.copyFromUtf8(keep.toMillis() + "\t" + maker.encoded());
  }

  /** Whether that ticket made the mark. */
  public static boolean isMarkOf(KeyValue head, Ticket.Id maker) {
    String text = head.getValue().toStringUtf8();
    return text.substring(text.indexOf('\t') + 1).equals(maker.encoded());
  }

  /** How long a mark was to be kept when it was made. */
  private static Duration keep(KeyValue head) {
    String text = head.getValue().toStringUtf8();
    try {
      return Duration.ofMillis(Long.parseLong(text.substring(0, Math.max(0, text.indexOf('\t')))));
    } catch (NumberFormatException e) {
      return Duration.ZERO;
    }
  }

  /**
   * How long a mark still counts: its original time minus what its lease has used. Leases count
   * whole seconds, and the last one may be nearly over.
   *
   * @param granted the full time of the lease in seconds
   * @param left the remaining time of the lease in seconds, rounded down
   */
  public static Duration markLeft(KeyValue head, long granted, long left) {
    Duration used = Duration.ofSeconds(Math.max(0, granted - left - 1));
    Duration most = keep(head).minus(used);
    return most.isNegative() ? Duration.ZERO : most;
  }

  /** Removes that mark, but no later mark under the same key. */
  public static TxnRequest removeMark(ByteString key, long written) {
    return Ops.txn(List.of(Ops.writtenAt(key, written)), List.of(Ops.delete(key)), List.of());
  }

  /** Removes the head if that ticket is the only one in line, before the ticket is removed. */
  public static TxnRequest removeWithLast(Keys keys, ByteString last) {
    return Ops.txn(
        List.of(Ops.empty(keys.lineBefore(last)), Ops.empty(keys.lineAfter(last))),
        List.of(Ops.delete(keys.head())),
        List.of());
  }

  /** Removes the head if the line has no tickets. */
  public static TxnRequest removeIfUnused(Keys keys) {
    return Ops.txn(List.of(Ops.empty(keys.line())), List.of(Ops.delete(keys.head())), List.of());
  }
}
