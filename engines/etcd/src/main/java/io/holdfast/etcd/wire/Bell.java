package io.holdfast.etcd.wire;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.HashSet;
import java.util.Set;

/** A ticket that waits, and whom for, or that is in. Guarded by the lock of {@link Watches}. */
final class Bell {

  private final Ticket.Id ticket;
  private final Watch watch;
  private final Set<ByteString> ahead = new HashSet<>();
  private ByteString own = ByteString.EMPTY;
  private long seen;
  private Wake wake = () -> {};
  private boolean gone;
  private boolean held;

  /** Whether all that happened since the look was, and will be, told. */
  private boolean complete;

  Bell(Ticket.Id ticket, Watch watch) {
    this.ticket = ticket;
    this.watch = watch;
  }

  /** What the last look has shown, at that revision. */
  void looked(Watched shown, long revision, Wake whom) {
    ahead.clear();
    ahead.addAll(shown.ahead());
    own = shown.own();
    held = shown.isHeld();
    seen = revision;
    wake = whom;
    gone = false;
    complete = false;
  }

  void tellAll() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  Ticket.Id ticket() {
    return ticket;
  }

  Watch watch() {
    return watch;
  }

  /** Whether its look was at that revision or later. */
  boolean hasSeen(long revision) {
    return seen >= revision;
  }

  Wake wake() {
    return wake;
  }

  /** Whether the ticket is in: then only what happens to its own key wakes. */
  boolean isHeld() {
    return held;
  }

  /** Something has happened to that key. */
  void touched(ByteString key) {
    gone |= key.equals(own);
  }

  /** Whether what happened is worth waking for. */
  boolean wakes() {
    return !held || gone;
  }

  /** Somebody has left. */
  void departed(ByteString key, long revision) {
    if (revision > seen) {
      ahead.remove(key);
      gone |= key.equals(own);
    }
  }

  /** Whether nobody is ahead of it any more, and it is there itself: it is in. */
  boolean isCleared() {
    return complete && !gone && ahead.isEmpty();
  }

  /** Whether there is a reason to ask again. */
  boolean rings() {
    return gone || ahead.isEmpty();
  }
}
