package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;

/**
 * A ticket as it stands in the store: parts with tabs between, so that {@code etcdctl} shows them.
 *
 * @param revision at which it joined: its place in line and its token
 * @param granted whether it was let in; kept for semaphores alone, which may shrink around holders
 * @param joined wall clock of its client in milliseconds, for display
 * @param revoked an operator's reason, or empty
 */
record Seat(
    ByteString key,
    long revision,
    long lease,
    int weight,
    Duration keep,
    int generation,
    boolean granted,
    long joined,
    String revoked,
    Owner owner) {

  private static final int PARTS = 11;
  private static final String LET_IN = "in";

  /** A ticket that is about to join. */
  static Seat of(Ticket ticket, ByteString key, long lease, long wallMillis) {
    return new Seat(
        key,
        0,
        lease,
        ticket.weight(),
        ticket.lease(),
        ticket.generation(),
        false,
        wallMillis,
        "",
        ticket.owner());
  }

  /** Reads what {@link #value} wrote; what somebody else wrote becomes a ticket with a note. */
  static Seat read(KeyValue found) {
    String text = found.getValue().toStringUtf8();
    String[] p = text.split("\t", PARTS);
    try {
      return new Seat(
          found.getKey(),
          found.getCreateRevision(),
          found.getLease(),
          Integer.parseInt(p[0]),
          Duration.ofMillis(Long.parseLong(p[1])),
          Integer.parseInt(p[2]),
          p[3].equals(LET_IN),
          Long.parseLong(p[4]),
          p[5],
          new Owner(p[6], p[7], Long.parseLong(p[8]), p[9], p[10]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return new Seat(
          found.getKey(),
          found.getCreateRevision(),
          found.getLease(),
          1,
          Duration.ZERO,
          0,
          true,
          0,
          "",
          new Owner("", "", 0, "", text));
    }
  }

  ByteString value() {
    return ByteString.copyFromUtf8(
        String.join(
            "\t",
            Integer.toString(weight),
            Long.toString(keep.toMillis()),
            Integer.toString(generation),
            granted ? LET_IN : "-",
            Long.toString(joined),
            clean(revoked),
            clean(owner.app()),
            clean(owner.host()),
            Long.toString(owner.pid()),
            clean(owner.thread()),
            clean(owner.text())));
  }

  private static String clean(String part) {
    return part.indexOf('\t') < 0 ? part : part.replace('\t', ' ');
  }

  long token() {
    return Token.of(generation, revision);
  }

  Seat letIn() {
    return new Seat(key, revision, lease, weight, keep, generation, true, joined, revoked, owner);
  }

  Seat withWeight(int smaller) {
    return new Seat(
        key, revision, lease, smaller, keep, generation, granted, joined, revoked, owner);
  }

  Seat revokedFor(String reason) {
    return new Seat(key, revision, lease, weight, keep, generation, granted, joined, reason, owner);
  }
}
