package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line as one transaction has read it, in the order in which its tickets joined.
 *
 * <p>Where tickets are admitted one at a time, only the first ticket and a few keys just ahead are
 * read, however long the line is. Other lines are read as a whole.
 *
 * @param shape of a semaphore: with the capacity that was read, which is 0 if it was lost
 * @param tickets the first ticket, or all of them
 * @param total how many tickets are in line
 * @param capacity of a semaphore
 * @param justAhead keys just ahead of the ticket that was looked for, the nearest first; may
 *     contain that ticket itself. Empty where the line was read as a whole
 * @param moreAhead whether there are more keys ahead than those
 */
public record LineSnapshot(
    Shape shape,
    List<TicketRecord> tickets,
    long total,
    HeadRecord.Capacity capacity,
    List<ByteString> justAhead,
    boolean moreAhead) {

  /** How many operations {@link #query} has. */
  public static final int QUERY_SIZE = 2;

  /**
   * A waiter with at most so many tickets ahead watches all of them leave, and is in without asking
   * again. In a longer line all of its departures would be sent to all waiters; there a waiter
   * watches only the ticket just ahead.
   */
  private static final int FEW = 16;

  /**
   * The operations that read a line for one of its tickets.
   *
   * @param revision at which the ticket joined; 0 if it joins in the same transaction
   */
  public static List<RequestOp> query(Keys keys, Shape shape, long revision) {
    return admitsOneAtATime(shape)
        ? List.of(
            Ops.oldest(keys.line(), 1),
            Ops.latest(keys.line(), revision, revision == 0 ? FEW + 1 : FEW))
        : List.of(Ops.oldest(keys.line(), 0), Ops.get(keys.head()));
  }

  /** As {@link #query}, for a ticket that is in if it still exists, and needs no watch. */
  public static List<RequestOp> holderQuery(Keys keys, Shape shape) {
    return admitsOneAtATime(shape)
        ? List.of(Ops.oldest(keys.line(), 1))
        : query(keys, shape, /* revision= */ 0);
  }

  /** The line that a query has read. */
  public static LineSnapshot read(Shape shape, List<ResponseOp> parts) {
    RangeResponse line = parts.get(0).getResponseRange();
    RangeResponse second =
        parts.size() > 1 ? parts.get(1).getResponseRange() : RangeResponse.getDefaultInstance();
    if (admitsOneAtATime(shape)) {
      List<ByteString> ahead = second.getKvsList().stream().map(KeyValue::getKey).toList();
      return read(shape, line, HeadRecord.Capacity.NONE, ahead, second.getMore());
    }
    if (shape.kind() == Shape.Kind.SEMAPHORE) {
      HeadRecord.Capacity capacity =
          second.getKvsCount() > 0
              ? HeadRecord.readCapacity(second.getKvs(0))
              : HeadRecord.Capacity.NONE;
      return read(Shape.semaphore(capacity.permits()), line, capacity, List.of(), false);
    }
    return read(shape, line, HeadRecord.Capacity.NONE, List.of(), false);
  }

  private static LineSnapshot read(
      Shape shape,
      RangeResponse line,
      HeadRecord.Capacity capacity,
      List<ByteString> ahead,
      boolean more) {
    List<TicketRecord> tickets = line.getKvsList().stream().map(TicketRecord::read).toList();
    return new LineSnapshot(shape, tickets, line.getCount(), capacity, ahead, more);
  }

  /** A line of these tickets. */
  public static LineSnapshot of(Shape shape, List<TicketRecord> tickets) {
    return new LineSnapshot(
        shape, tickets, tickets.size(), HeadRecord.Capacity.NONE, List.of(), false);
  }

  /*
   * The capacity of a semaphore may be lost while tickets are in line: a leader that was paused
   * revokes its lease, or a hand deletes it. Then nobody joins and nobody is admitted until it is
   * written again, by anybody who reads the line. So that its number is known, each ticket states it:
   * as it was when the ticket joined, or was admitted. After a resize these are outdated, and the next
   * holder who renews and finds that states the new one. Of several the one that was known last
   * counts. A resize is forgotten only if the capacity is lost before any ticket has joined, was
   * admitted or was renewed since.
   */

  /** The ticket that knows best what capacity its line has; empty if none states it. */
  public static Optional<TicketRecord> witness(List<TicketRecord> tickets) {
    return tickets.stream()
        .filter(ticket -> ticket.capacity() > 0)
        .max(Comparator.comparingLong(TicketRecord::knownAt));
  }

  /** Whether the capacity of a semaphore was lost. */
  public boolean lacksCapacity() {
    return shape.kind() == Shape.Kind.SEMAPHORE && !capacity.exists();
  }

  /** Whether the tickets state another capacity than there is: it was changed since. */
  public boolean isOutdated() {
    return capacity.exists()
        && witness(tickets).map(TicketRecord::capacity).orElse(0) != capacity.permits();
  }

  /** The same line with another record of one of its tickets. */
  public LineSnapshot with(TicketRecord changed) {
    List<TicketRecord> all =
        tickets.stream().map(each -> each.key().equals(changed.key()) ? changed : each).toList();
    return new LineSnapshot(shape, all, total, capacity, justAhead, moreAhead);
  }

  /** Whether tickets are admitted one after another, so that the first alone matters. */
  public static boolean admitsOneAtATime(Shape shape) {
    return shape.kind() == Shape.Kind.MUTEX || shape.kind() == Shape.Kind.ONCE;
  }

  /** The place of the ticket with that key; -1 if the snapshot does not have it. */
  public int indexOf(ByteString key) {
    for (int i = 0; i < tickets.size(); i++) {
      if (tickets.get(i).key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  /** The ticket at that place; null for -1. */
  public @Nullable TicketRecord ticketAt(int index) {
    return index < 0 ? null : tickets.get(index);
  }

  /** Whether the ticket at this place is in, whether its client knows it already or not. */
  public boolean isIn(int index) {
    if (admitsOneAtATime(shape)) {
      return index == 0;
    }
    if (shape.kind() == Shape.Kind.READ_WRITE) {
      return Line.isIn(shape.capacity(), weights(), index);
    }
    return tickets.get(index).granted() || hasRoom(index);
  }

  /*
   * Why the granted permits never exceed the capacity at which a ticket was admitted, though reading
   * and admitting are two steps: the admitting transaction requires that the head has not changed
   * since it was read. Of all tickets admitted since that head was written, take the one furthest
   * back. No ticket joins ahead of it, so its snapshot counted all others admitted since then, and
   * all admitted before, ahead of it or behind it. And there was room.
   */

  /**
   * Whether a waiter for permits fits together with all tickets ahead of it, and with those behind
   * it that are in: there are such tickets after a resize to less.
   */
  private boolean hasRoom(int index) {
    long taken = 0;
    for (int i = 0; i < tickets.size(); i++) {
      TicketRecord ticket = tickets.get(i);
      taken += i <= index || ticket.granted() ? ticket.weight() : 0;
    }
    return taken <= shape.capacity();
  }

  /** Whether any ticket waits. */
  public boolean isWanted() {
    if (admitsOneAtATime(shape)) {
      return total > 1;
    }
    if (shape.kind() == Shape.Kind.READ_WRITE) {
      return Line.in(shape.capacity(), weights()) < tickets.size();
    }
    return tickets.stream().anyMatch(ticket -> !ticket.granted());
  }

  /** The weights of all tickets, in order. */
  public List<Integer> weights() {
    return tickets.stream().map(TicketRecord::weight).toList();
  }
}
