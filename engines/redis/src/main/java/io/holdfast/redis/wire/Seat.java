package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The place of one member on a lane: a connection, one that is being made, or none. */
final class Seat {

  private final Member member;
  private final Sockets sockets;
  private final Semaphore arrivals;
  private @Nullable CompletableFuture<Voice> dialling;
  private @Nullable Voice voice;

  /**
   * A seat.
   *
   * @param arrivals gets a permit when dialling is over, for better or worse
   */
  Seat(Member member, Sockets sockets, Semaphore arrivals) {
    this.member = member;
    this.sockets = sockets;
    this.arrivals = arrivals;
  }

  Member member() {
    return member;
  }

  /** Takes what has been dialled, or begins to dial if it is time. */
  void fill() {
    if (voice == null && dialling != null && dialling.isDone()) {
      voice = dialling.isCompletedExceptionally() ? null : dialling.join();
      dialling = null;
    }
    if (voice == null && dialling == null && member.mayDial()) {
      dialling = member.dial(sockets, arrivals::release);
    }
  }

  /** Whether a connection is being made to a member that is thought to be there. */
  boolean isAwaited() {
    return voice == null
        && dialling != null
        && !dialling.isDone()
        && !member.isOverdue()
        && member.trouble() == null;
  }

  /** It has been waited for long enough: from now on it comes when it comes, on every lane. */
  void stopWaiting() {
    if (isAwaited()) {
      member.overdue();
    }
  }

  /** The connection, if there is one. */
  @Nullable Voice voice() {
    return voice;
  }

  /** Gives the connection up: what may still come belongs to nobody. */
  void drop(EngineException why) {
    if (voice != null) {
      voice.link().cut();
      voice = null;
      if (!sockets.isClosed()) {
        member.failed(why);
      }
    }
  }

  /** Answers for one that is not here. */
  Heard absent(List<Call> calls) {
    EngineException trouble = member.trouble();
    EngineException why =
        trouble instanceof EngineException.Refused
            ? trouble
            : new EngineException.NotDone(
                "is not connected: " + (trouble == null ? "not yet" : trouble.getMessage()),
                trouble);
    Reply reply = new Reply.Failed(why);
    return new Heard(member.server(), false, "", calls.stream().map(call -> reply).toList());
  }
}
