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
 * <p>Permits are let in in writing, because a semaphore may be made smaller around those that are
 * in. Their tokens are their places too, until the semaphore is resized: from then on one may be
 * let in after others behind it, and its token is the revision at which that was written.
 *
 * @param revision at which it joined: its place in line
 * @param written the revision at which it was last written
 * @param granted whether it was let in; kept for semaphores alone
 * @param counter what its token is made of; 0 for the revision at which this will be written
 * @param joined wall clock of its client in milliseconds, for display
 * @param revoked an operator's reason, or empty
 * @param ticket its id
 */
record Seat(
    ByteString key,
    long revision,
    long written,
    long lease,
    int weight,
    Duration keep,
    int generation,
    boolean granted,
    long counter,
    long joined,
    String revoked,
    String ticket,
    Owner owner) {

  private static final int PARTS = 12;
  private static final String WAITS = "-";
  private static final String LET_IN = "in";
  private static final String LET_IN_AT = "at";

  /** A ticket that is about to join. */
  static Seat of(Ticket ticket, ByteString key, long lease, long wallMillis) {
    return new Seat(
        key,
        0,
        0,
        lease,
        ticket.weight(),
        ticket.lease(),
        ticket.generation(),
        false,
        0,
        wallMillis,
        "",
        ticket.id().encoded(),
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
          found.getModRevision(),
          found.getLease(),
          Integer.parseInt(p[0]),
          Duration.ofMillis(Long.parseLong(p[1])),
          Integer.parseInt(p[2]),
          !p[3].equals(WAITS),
          counter(p[3], found),
          Long.parseLong(p[4]),
          p[5],
          p[6],
          new Owner(p[7], p[8], Long.parseLong(p[9]), p[10], p[11]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return foreign(found, text);
    }
  }

  private static Seat foreign(KeyValue found, String text) {
    return new Seat(
        found.getKey(),
        found.getCreateRevision(),
        found.getModRevision(),
        found.getLease(),
        1,
        Duration.ZERO,
        0,
        true,
        found.getCreateRevision(),
        0,
        "",
        "",
        new Owner("", "", 0, "", text));
  }

  private static long counter(String grant, KeyValue found) {
    if (!grant.startsWith(LET_IN_AT)) {
      return found.getCreateRevision();
    }
    String at = grant.substring(LET_IN_AT.length());
    return at.isEmpty() ? found.getModRevision() : Long.parseLong(at);
  }

  private String grant() {
    if (!granted) {
      return WAITS;
    }
    return counter == revision ? LET_IN : counter == 0 ? LET_IN_AT : LET_IN_AT + counter;
  }

  ByteString value() {
    return ByteString.copyFromUtf8(
        String.join(
            "\t",
            Integer.toString(weight),
            Long.toString(keep.toMillis()),
            Integer.toString(generation),
            grant(),
            Long.toString(joined),
            clean(revoked),
            ticket,
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
    return Token.of(generation, counter);
  }

  /**
   * Let in in writing.
   *
   * @param resized whether others behind it may have been let in before
   */
  Seat letIn(boolean resized) {
    return with(weight, true, resized ? 0 : revision, revoked);
  }

  Seat withWeight(int smaller) {
    return with(smaller, granted, counter, revoked);
  }

  Seat revokedFor(String reason) {
    return with(weight, granted, counter, reason);
  }

  private Seat with(int newWeight, boolean in, long newCounter, String reason) {
    return new Seat(
        key,
        revision,
        written,
        lease,
        newWeight,
        keep,
        generation,
        in,
        newCounter,
        joined,
        reason,
        ticket,
        owner);
  }

  /** As it stands in the store, when this was written at that revision. */
  Seat writtenAt(long now) {
    long made = revision == 0 ? now : revision;
    return new Seat(
        key,
        made,
        now,
        lease,
        weight,
        keep,
        generation,
        granted,
        counter == 0 ? now : counter,
        joined,
        revoked,
        ticket,
        owner);
  }
}
