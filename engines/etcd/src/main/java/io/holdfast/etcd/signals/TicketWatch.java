package io.holdfast.etcd.signals;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.HashSet;
import java.util.Set;

/**
 * One ticket that watches: what it waits for, and whether that has happened.
 *
 * <p>Guarded by the lock of {@link WatchRegistry}.
 */
final class TicketWatch {

  private final Ticket.Id ticket;
  private final ServerWatch watch;
  private final Set<ByteString> ahead = new HashSet<>();
  private ByteString own = ByteString.EMPTY;
  private long seen;
  private Wake wake = () -> {};
  private boolean gone;
  private boolean held;

  /** Whether all events since the line was read were, and will be, received. */
  private boolean complete;

  TicketWatch(Ticket.Id ticket, ServerWatch watch) {
    this.ticket = ticket;
    this.watch = watch;
  }

  /** Starts from the line as it was read at that revision. */
  void armed(WatchTarget target, long revision, Wake toWake) {
    ahead.clear();
    ahead.addAll(target.ahead());
    own = target.own();
    held = target.isHeld();
    seen = revision;
    wake = toWake;
    gone = false;
    complete = false;
  }

  /** The watch began before the line was read, so it receives all events since then. */
  void receivesAll() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  Ticket.Id ticket() {
    return ticket;
  }

  ServerWatch watch() {
    return watch;
  }

  /** Whether the line was read at that revision or later. */
  boolean hasSeen(long revision) {
    return seen >= revision;
  }

  Wake wake() {
    return wake;
  }

  /** Whether the ticket is in: then only changes of its own key wake it. */
  boolean isHeld() {
    return held;
  }

  /** A key has changed. */
  void touched(ByteString key) {
    gone |= key.equals(own);
  }

  /** Whether the ticket is woken when its watch has fired. */
  boolean wakes() {
    return !held || gone;
  }

  /** A key was deleted at that revision. */
  void departed(ByteString key, long revision) {
    if (revision > seen) {
      ahead.remove(key);
      gone |= key.equals(own);
    }
  }

  /** Whether all tickets ahead have left, and this one has not: then it is in. */
  boolean isCleared() {
    return complete && !gone && ahead.isEmpty();
  }

  /** Whether there is a reason to ask again. */
  boolean hasFired() {
    return gone || ahead.isEmpty();
  }
}
