package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import java.util.List;

/** The layout of a namespace and the highest generation that it has seen: {@code hf1 000}. */
final class StoreRecord {

  private static final String LAYOUT = "hf1";

  /** Added to a generation, this shows all of its three digits. */
  private static final int DIGITS = 1000;

  private StoreRecord() {}

  /** The record says what this client says. */
  static Compare asSaidBy(Layout layout, Ticket ticket) {
    return Ops.valueIs(key(layout, ticket), value(ticket.generation()));
  }

  /** Reads the record. */
  static RequestOp read(Layout layout, Ticket ticket) {
    return Ops.get(key(layout, ticket));
  }

  private static ByteString key(Layout layout, Ticket ticket) {
    return layout.store(ticket.resource().namespace());
  }

  private static ByteString value(int generation) {
    return ByteString.copyFromUtf8(
        LAYOUT + ' ' + Integer.toString(DIGITS + generation).substring(1));
  }

  /**
   * Whether a record that was read says what this client says.
   *
   * @throws Refused when it says more: a newer layout, or a higher generation
   */
  static boolean isAsSaid(RangeResponse read, Ticket ticket, Refusals refusals) throws Refused {
    if (read.getKvsCount() == 0) {
      return false;
    }
    String[] words = read.getKvs(0).getValue().toStringUtf8().split(" ", 2);
    if (words.length != 2 || !words[0].equals(LAYOUT) || !words[1].matches("\\d{3}")) {
      throw new Refused(
          refusals.about(ticket)
              + " cannot be used: the store has the layout "
              + words[0]
              + ", and this client knows "
              + LAYOUT
              + ": use a version of Holdfast that knows it");
    }
    int known = Integer.parseInt(words[1]);
    if (known > ticket.generation()) {
      throw refusals.generation(ticket, known);
    }
    return known == ticket.generation();
  }

  /** Writes the record, unless it was written since it was read. */
  static TxnRequest write(Layout layout, RangeResponse read, Ticket ticket) {
    long seen = read.getKvsList().stream().map(KeyValue::getModRevision).findFirst().orElse(0L);
    return Ops.txn(
        List.of(Ops.writtenAt(key(layout, ticket), seen)),
        List.of(Ops.put(key(layout, ticket), value(ticket.generation()), 0)),
        List.of());
  }
}
