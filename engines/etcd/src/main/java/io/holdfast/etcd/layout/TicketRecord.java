package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Shape;
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
 * <p>A ticket for permits also states the capacity, because the {@link HeadRecord} may be lost
 * while tickets are in line: see {@link LineSnapshot#witness}.
 *
 * @param revision at which it joined: its place in line
 * @param written the revision at which it was last written
 * @param lease that it is attached to
 * @param capacity of the semaphore as it was known when this was written; 0 for other tickets
 * @param knownAt the revision at which it was that; 0 for the one at which the ticket joins
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
    int capacity,
    long knownAt,
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
  private static final char OF = '/';
  private static final char KNOWN_AT = '@';

  /**
   * A ticket that is about to join.
   *
   * @param capacity of the semaphore; 0 for other tickets
   */
  public static TicketRecord of(
      Ticket ticket, int capacity, ByteString key, long lease, long wallMillis) {
    return new TicketRecord(
        key,
        0,
        0,
        lease,
        ticket.weight(),
        capacity,
        0,
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
    int of = p[0].indexOf(OF);
    int at = p[0].indexOf(KNOWN_AT);
    try {
      return new TicketRecord(
          found.getKey(),
          found.getCreateRevision(),
          found.getModRevision(),
          found.getLease(),
          Integer.parseInt(of < 0 ? p[0] : p[0].substring(0, of)),
          of < 0 ? 0 : permits(p[0].substring(of + 1, at < 0 ? p[0].length() : at)),
          at < 0 ? found.getCreateRevision() : Long.parseLong(p[0].substring(at + 1)),
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
        0,
        0,
        Duration.ZERO,
        0,
        true,
        found.getCreateRevision(),
        0,
        "",
        "",
        new Owner("", "", 0, "", text));
  }

  private static int permits(String text) {
    return Math.max(0, Math.min(Integer.parseInt(text), Shape.MAX_PERMITS));
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

  /** The weight; of a semaphore also the capacity that it is a share of. */
  private String share() {
    String share = Integer.toString(weight);
    if (capacity > 0) {
      share += OF + Integer.toString(capacity);
      share += knownAt == revision ? "" : KNOWN_AT + Long.toString(knownAt);
    }
    return share;
  }

  /** How the ticket is written. */
  public ByteString value() {
    return ByteString.copyFromUtf8(
        String.join(
            "\t",
            share(),
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

  /** The same ticket, granted as the first of a line. */
  public TicketRecord grantedFirst() {
    return with(weight, true, revision, revoked);
  }

  /** The same ticket, granted by that capacity. */
  public TicketRecord grantedBy(HeadRecord.Capacity head) {
    return with(weight, true, head.isResizedFor(revision) ? 0 : revision, revoked).stating(head);
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
        capacity,
        knownAt,
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
        capacity,
        knownAt,
        keep,
        generation,
        in,
        newCounter,
        joined,
        reason,
        ticket,
        owner);
  }

  /** The same ticket, which states that capacity. */
  public TicketRecord stating(HeadRecord.Capacity head) {
    return new TicketRecord(
        key,
        revision,
        written,
        lease,
        weight,
        head.permits(),
        Math.max(head.written(), revision),
        keep,
        generation,
        granted,
        counter,
        joined,
        revoked,
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
        capacity,
        knownAt == 0 ? made : knownAt,
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
