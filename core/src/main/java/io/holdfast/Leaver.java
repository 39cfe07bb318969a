package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leaves behind callers that are gone: repeats the leave of a claim until the store has answered or
 * the lease has ended there by itself. Where tickets live with the client's session, no lease ends
 * by itself: the session may outlive any outage, and a ticket that was given up would stay in it
 * with nobody to speak for it. There the leave is repeated until it is answered.
 */
final class Leaver {

  private static final long FIRST_PAUSE = 50_000_000L;
  private static final long LONGEST_PAUSE = 1_000_000_000L;

  /** So many leaves fail within an operation timeout only where the store says no at once. */
  private static final int AWAY = 4;

  private final Client client;
  private final Set<Claim> leaving = ConcurrentHashMap.newKeySet();
  private final Idle idle;

  Leaver(Client client) {
    this.client = client;
    this.idle = new Idle(client.world());
  }

  /** Sees the claim out. Returns at once. */
  void takeOver(Claim claim) {
    if (leaving.add(claim)) {
      idle.begin();
      new Departure(claim).leave();
    }
  }

  /**
   * Sees the claim out when its lease has ended in the store: a late renewal may have revived it.
   */
  void takeOverWhenEnded(Claim claim) {
    long left = claim.endsAtStore() - client.world().nanoTime();
    client.world().schedule(Math.max(0, left), () -> takeOver(claim));
  }

  /** Counts a leave until it is answered: a client does not close its lanes before that. */
  Verb.Answer<Left> counted(Verb.Answer<Left> answer) {
    idle.begin();
    return new Verb.Answer<>() {
      @Override
      public void answered(Left left) {
        answer.answered(left);
        idle.end();
      }

      @Override
      public void failed(EngineException failure) {
        answer.failed(failure);
        idle.end();
      }
    };
  }

  /** Waits until every claim is seen out that may be in the store, at most this long. */
  void awaitIdle(long nanos) {
    leaving.stream().filter(Claim::isSurelyAbsent).forEach(this::seenOut);
    idle.await(nanos);
  }

  private void seenOut(Claim claim) {
    if (leaving.remove(claim)) {
      idle.end();
    }
  }

  /** One claim on its way out. */
  private final class Departure implements Verb.Answer<Left> {
    private final Claim claim;
    private final long until;
    private final Backoff pause = new Backoff(client.jitter(), FIRST_PAUSE, LONGEST_PAUSE);
    private int failures;

    Departure(Claim claim) {
      this.claim = claim;
      // An attempt under way may still begin a lease at the store, until it is cut off.
      long latest = client.options().operationTimeout().toNanos();
      this.until = client.world().nanoTime() + latest + claim.ticket().lease().toNanos();
    }

    void leave() {
      claim.leave(this);
    }

    @Override
    public void answered(Left left) {
      client.pulse().heard();
      seenOut(claim);
    }

    /**
     * Whether the claim needs no leave any more. When a session ends is not known here: the engine
     * answers the leave once it has heard of it. A client that closes ends its session itself.
     * Claims that never reached the store are dropped, or those of a long outage would pile up.
     */
    private boolean hasEnded() {
      boolean late = client.world().nanoTime() - until >= 0;
      boolean outlives = client.traits().sessionLease().isPresent() && !client.isClosing();
      return late && !(outlives && !claim.isSurelyAbsent());
    }

    @Override
    public void failed(EngineException failure) {
      if (hasEnded() || failure instanceof EngineException.Refused || client.isClosed()) {
        seenOut(claim);
        return;
      }
      client.pulse().failed(failure);
      long next = pause.next();
      if (client.isClosing() && (claim.isSurelyAbsent() || isLeftBehindAfter(next))) {
        seenOut(claim);
        return;
      }
      client.world().schedule(next, this::leave);
    }

    /** One that failed a few times in a row is away; one that took its time may only be slow. */
    private boolean isLeftBehindAfter(long nanos) {
      failures++;
      return failures >= AWAY && client.isLeftBehindAfter(nanos);
    }
  }
}
