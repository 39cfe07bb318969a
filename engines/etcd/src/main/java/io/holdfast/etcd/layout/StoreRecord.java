package io.holdfast.etcd.layout;

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

/** The layout version and highest generation of a namespace, such as {@code hf1 000}. */
public final class StoreRecord {

  private static final String LAYOUT = "hf1";

  /** Added to a generation, this shows all of its three digits. */
  private static final int DIGITS = 1000;

  private StoreRecord() {}

  /** The record has the layout and the generation of this client. */
  public static Compare matches(Layout layout, Ticket ticket) {
    return Ops.valueIs(key(layout, ticket), value(ticket.generation()));
  }

  /** Reads the record, for {@link #requireCompatible}. */
  public static RequestOp read(Layout layout, Ticket ticket) {
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
   * Checks a record that was read; returns whether it matches this client, or must be written.
   *
   * @throws Refused if the layout is newer or the generation is higher
   */
  public static boolean requireCompatible(RangeResponse read, Ticket ticket, Refusals refusals)
      throws Refused {
    if (read.getKvsCount() == 0) {
      return false;
    }
    String[] words = read.getKvs(0).getValue().toStringUtf8().split(" ", 2);
    if (words.length != 2 || !words[0].equals(LAYOUT) || !words[1].matches("\\d{3}")) {
      throw new Refused(
          refusals.about(ticket)
              + " cannot be used: the store has layout "
              + words[0]
              + ", but this client supports only "
              + LAYOUT
              + "; upgrade Holdfast");
    }
    int known = Integer.parseInt(words[1]);
    if (known > ticket.generation()) {
      throw refusals.generation(ticket, known);
    }
    return known == ticket.generation();
  }

  /** Writes the record, unless it was changed since it was read. */
  public static TxnRequest write(Layout layout, RangeResponse read, Ticket ticket) {
    long seen = read.getKvsList().stream().map(KeyValue::getModRevision).findFirst().orElse(0L);
    return Ops.txn(
        List.of(Ops.writtenAt(key(layout, ticket), seen)),
        List.of(Ops.put(key(layout, ticket), value(ticket.generation()), 0)),
        List.of());
  }
}
