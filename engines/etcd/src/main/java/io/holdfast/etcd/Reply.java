package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.wire.Armed;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an attempt is answered, and what this client remembers of it. */
final class Reply {

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(250);

  private final Shared shared;
  private final Verb.Attempt verb;
  private final Ticket ticket;
  private final ByteString key;
  private final Session session;
  private final long start;

  /** For an attempt that began at that time, of a ticket that hangs on the lease of a session. */
  Reply(
      Shared shared,
      Verb.Attempt verb,
      Ticket ticket,
      ByteString key,
      Session session,
      long start) {
    this.shared = shared;
    this.verb = verb;
    this.ticket = ticket;
    this.key = key;
    this.session = session;
    this.start = start;
  }

  /**
   * It is in.
   *
   * @param joined the revision at which it joined
   * @param lease that it hangs on
   * @param counter what its token is made of
   */
  void granted(boolean wanted, long joined, long lease, long counter) {
    verb.complete(in(wanted, joined, lease, counter));
  }

  /** What {@link #granted} answers, which counts from the beginning of the attempt. */
  Standing.Granted in(boolean wanted, long joined, long lease, long counter) {
    shared.disarm(ticket.id());
    Duration valid = session.validFor(lease, ticket.lease(), start);
    shared.places().keep(ticket, key, joined, lease, start + valid.toNanos());
    shared.looks().entered(new Looks.Last(ticket, key, joined, lease, wanted));
    return new Standing.Granted(Token.of(ticket.generation(), counter), valid, wanted);
  }

  /**
   * Whether this client has seen all that were ahead of the ticket go, and the lease that it hangs
   * on is sure to last: then it is in.
   */
  boolean hasSeenAllGo() {
    Places.Place known = shared.places().find(ticket.id());
    return ticket.shape().kind() == Shape.Kind.MUTEX
        && known != null
        && known.lease() == session.id()
        && session.isSure()
        && shared.watches().isCleared(ticket.id());
  }

  /** What it waited for has happened, after it was told to wait: it may be in without a trip. */
  void woken(long joined) {
    Standing.@Nullable Granted granted;
    // Until it is known to be in, nobody may take it out because it has not asked for long.
    shared.places().begin(ticket.id());
    try {
      Places.Place known = shared.places().find(ticket.id());
      granted =
          known != null && hasSeenAllGo()
              ? in(/* wanted= */ true, joined, known.lease(), joined)
              : null;
    } finally {
      shared.places().end(ticket.id());
    }
    if (granted != null) {
      verb.wake().granted(granted);
    } else {
      verb.wake().wake();
    }
  }

  /** It waits, and will be woken or not. */
  void waits(Seats seats, int index, long joined, long lease, Armed armed) {
    int ahead = shared.places().keepWaiting(ticket, key, joined, lease, ahead(seats, index));
    verb.complete(waiting(seats, ahead, retry(armed)));
  }

  /** The answer to one that does not wait: it goes. */
  Standing busy(Seats seats, int index) {
    return waiting(seats, ahead(seats, index), LOOK_AGAIN);
  }

  /** Of one of whose transactions some were executed, it is not known what came of it. */
  EngineException notAll(EngineException failure) {
    return failure instanceof EngineException.NotDone
        ? new EngineException.Unknown(
            shared.refusals().about(ticket) + " was asked for, and the rest not done", failure)
        : failure;
  }

  private static Duration retry(Armed armed) {
    return switch (armed) {
      case YES -> LOOK_AGAIN;
      case ASK_AGAIN -> Duration.ZERO;
      case NO -> POLL;
    };
  }

  private int ahead(Seats seats, int index) {
    int ahead = index >= 0 ? index : (int) seats.total() - 1;
    return ticket.shape().order() == Order.ANY ? 0 : ahead;
  }

  private static Standing waiting(Seats seats, int ahead, Duration retry) {
    return new Standing.Waiting(
        ahead, retry, seats.seats().stream().findFirst().map(Joining::holder));
  }
}
