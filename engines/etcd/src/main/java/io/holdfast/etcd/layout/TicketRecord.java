package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.NoSuchElementException;

/**
 * A ticket as the store has it: fields separated by tabs, readable with {@code etcdctl}.
 *
 * <p>That a permit is granted is written down, because a semaphore may shrink while permits are
 * out. The token of a permit is its place too, until the semaphore is resized: from then on a
 * ticket may be granted after tickets behind it, and its token is the revision at which the grant
 * was written.
 *
 * @param revision at which it joined: its place in line
 * @param written the revision at which it was last written
 * @param lease that it is attached to
 * @param keep the lease that its client asked for
 * @param granted whether it was granted; recorded for semaphores only
 * @param counter of its token; 0 for the revision at which this will be written
 * @param joined wall clock of its client in milliseconds, for display
 * @param revoked an operator's reason, or empty
 * @param ticket its encoded id
 */
public record TicketRecord(
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

  private static final int PARTS = 8;
  private static final String WAITING = "-";
  private static final String GRANTED = "in";
  private static final String GRANTED_AT = "at";

  /** A ticket that is about to join. */
  public static TicketRecord of(Ticket ticket, ByteString key, long lease, long wallMillis) {
    return new TicketRecord(
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

  /** Reads what {@link #value} wrote; a foreign value becomes a ticket with that text as note. */
  public static TicketRecord read(KeyValue found) {
    String text = found.getValue().toStringUtf8();
    String[] p = text.split("\t", PARTS);
    try {
      return new TicketRecord(
          found.getKey(),
          found.getCreateRevision(),
          found.getModRevision(),
          found.getLease(),
          Integer.parseInt(p[0]),
          Duration.ofMillis(Long.parseLong(p[1])),
          Integer.parseInt(p[2]),
          !p[3].equals(WAITING),
          counter(p[3], found),
          Long.parseLong(p[4]),
          p[5],
          p[6],
          OwnerText.parse(p[7]).orElseThrow());
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException | NoSuchElementException e) {
      return foreign(found, text);
    }
  }

  private static TicketRecord foreign(KeyValue found, String text) {
    return new TicketRecord(
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
    if (!grant.startsWith(GRANTED_AT)) {
      return found.getCreateRevision();
    }
    String at = grant.substring(GRANTED_AT.length());
    return at.isEmpty() ? found.getModRevision() : Long.parseLong(at);
  }

  private String grant() {
    if (!granted) {
      return WAITING;
    }
    return counter == revision ? GRANTED : counter == 0 ? GRANTED_AT : GRANTED_AT + counter;
  }

  /** How the ticket is written. */
  public ByteString value() {
    return ByteString.copyFromUtf8(
        String.join(
            "\t",
            Integer.toString(weight),
            Long.toString(keep.toMillis()),
            Integer.toString(generation),
            grant(),
            Long.toString(joined),
            revoked.replace('\t', ' '),
            ticket,
            OwnerText.write(owner)));
  }

  /** Its fencing token. */
  public long token() {
    return Token.of(generation, counter);
  }

  /**
   * The same ticket, granted.
   *
   * @param resized whether tickets behind it may have been granted before
   */
  public TicketRecord grantedNow(boolean resized) {
    return with(weight, true, resized ? 0 : revision, revoked);
  }

  /** The same ticket with a smaller weight. */
  public TicketRecord withWeight(int smaller) {
    return with(smaller, granted, counter, revoked);
  }

  /** The same ticket, revoked by an operator. */
  public TicketRecord revokedFor(String reason) {
    return with(weight, granted, counter, reason);
  }

  /** The same mutex, which stays in line without its client, under an id that no verb has. */
  public TicketRecord kept(Ticket.Id as, Duration time, long attachedTo) {
    return new TicketRecord(
        key,
        revision,
        written,
        attachedTo,
        weight,
        time,
        generation,
        granted,
        counter,
        joined,
        "",
        as.encoded(),
        owner);
  }

  private TicketRecord with(int newWeight, boolean in, long newCounter, String reason) {
    return new TicketRecord(
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

  /** Whether this is the record of that ticket. */
  public boolean isOf(Ticket.Id id) {
    return ticket.equals(id.encoded());
  }

  /** This ticket as waiters see it. It is kept at most as long as its client asked for. */
  public Standing.Holder asHolder() {
    return new Standing.Holder(owner, token(), keep);
  }

  /** The same ticket after it was written at that revision. */
  public TicketRecord writtenAt(long now) {
    long made = revision == 0 ? now : revision;
    return new TicketRecord(
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
