package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeResponse;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;

/** Marks a ticket that must not join again: it left, or an operator evicted it. */
public final class Tombstone {

  /** The value for a ticket that left by itself. */
  public static final ByteString LEFT = ByteString.copyFromUtf8("left");

  private static final String EVICTED = "evicted\t";

  private Tombstone() {}

  /** The value for a ticket that an operator evicted. */
  public static ByteString evicted(String reason) {
    return ByteString.copyFromUtf8(EVICTED + reason);
  }

  /** Refuses a ticket that has a tombstone. */
  public static void requireNone(RangeResponse read, Ticket ticket, Refusals refusals)
      throws Refused {
    if (read.getKvsCount() > 0) {
      String text = read.getKvs(0).getValue().toStringUtf8();
      throw text.startsWith(EVICTED)
          ? refusals.revoked(ticket, text.substring(EVICTED.length()))
          : refusals.left(ticket);
    }
  }

  /** Why a ticket that is no longer in the store is gone. */
  public static Renewal.Gone gone(RangeResponse read, boolean sessionOver) {
    if (read.getKvsCount() > 0) {
      String text = read.getKvs(0).getValue().toStringUtf8();
      if (text.startsWith(EVICTED)) {
        return new Renewal.Gone(Renewal.Cause.REVOKED, text.substring(EVICTED.length()));
      }
    }
    return new Renewal.Gone(
        sessionOver ? Renewal.Cause.SESSION_OVER : Renewal.Cause.UNKNOWN_TICKET, "");
  }
}
