package io.holdfast.runtime.acquire;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.InFlightCounter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes the tickets of callers that are gone.
 *
 * <p>It repeats the leave of a claim until the store has replied or the lease has ended there.
 * Where tickets live with the client's session, no lease ends by itself: the session may survive
 * any outage, and an abandoned ticket would stay in it. There the leave is repeated until the store
 * has replied.
 */
public final class Leaver {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(60);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(1_200);

  /** Only a store that refuses at once fails this many leaves within an operation timeout. */
  private static final int UNREACHABLE_AFTER = 4;

  private final Client client;
  private final Set<Claim> leaving = ConcurrentHashMap.newKeySet();
  private final InFlightCounter idle;
  private final RetryDelay delay;

  public Leaver(Client client) {
    this.client = client;
    this.delay = client.retryDelay(FIRST_PAUSE, LONGEST_PAUSE);
    this.idle = new InFlightCounter(client.world());
  }

  /** Removes the claim from the store in the background. Returns at once. */
  public void takeOver(Claim claim) {
    if (leaving.add(claim)) {
      idle.begin();
      new Departure(claim).leave();
    }
  }

  /**
   * Removes the claim after its lease has ended in the store: a late renewal may have revived it.
   */
  public void takeOverWhenEnded(Claim claim) {
    long left = claim.endsAtStore() - client.world().nanoTime();
    client.world().schedule(Math.max(0, left), () -> takeOver(claim));
  }

  /**
   * Repeats the settle of a mutex that is to stay taken, in the background, until the store has
   * replied or the lease has ended there. It is not left: the settle may have been executed, and
   * nobody must get in early. Only where the ticket lives with a session, it leaves in the end.
   */
  void keepLater(Claim claim, Duration keep) {
    idle.begin();
    new Keeping(claim, keep).later();
  }

  /**
   * Runs the step in which a claim stops being wanted or held. A client that closes ends what waits
   * and what is held, and then waits for what leaves: a claim that another thread is about to pass
   * to this leaver would be in neither, and stay in the store.
   */
  void whileOpen(Runnable step) {
    idle.begin();
    try {
      step.run();
    } finally {
      idle.end();
    }
  }

  /** Counts a verb until the store has replied; a client does not close its lanes before that. */
  public <T> Verb.Answer<T> counted(Verb.Answer<T> answer) {
    idle.begin();
    return new Verb.Answer<>() {
      @Override
      public void answered(T reply) {
        answer.answered(reply);
        idle.end();
      }

      @Override
      public void failed(EngineException failure) {
        answer.failed(failure);
        idle.end();
      }
    };
  }

  /** Returns the number of claims that are being removed. */
  public int size() {
    return leaving.size();
  }

  /** Waits until all claims that may be in the store are removed, at most for the given time. */
  public void awaitIdle(long nanos) {
    leaving.stream().filter(Claim::isSurelyAbsent).forEach(this::seenOut);
    idle.await(nanos);
  }

  private void seenOut(Claim claim) {
    if (leaving.remove(claim)) {
      idle.end();
    }
  }

  /** One claim that is to stay taken, and whose settle got no reply. */
  private final class Keeping implements Verb.Answer<Boolean> {
    private final Claim claim;
    private final Duration keep;
    private final RetryDelay.Sequence pause = delay.sequence();

    Keeping(Claim claim, Duration keep) {
      this.claim = claim;
      this.keep = keep;
    }

    void later() {
      long next = pause.nextNanos();
      boolean ended = claim.endsAtStore() - client.world().nanoTime() <= 0;
      if (ended && client.traits().sessionLease().isPresent()) {
        takeOver(claim);
      }
      if (ended || client.isClosed() || client.isLeftBehindAfter(next)) {
        idle.end();
      } else {
        client.world().schedule(next, () -> claim.settle(keep, this));
      }
    }

    @Override
    public void answered(Boolean settled) {
      client.storeStatus().heard();
      idle.end();
    }

    @Override
    public void failed(EngineException failure) {
      client.storeStatus().failed(failure);
      later();
    }
  }

  /** One claim that is being removed. */
  private final class Departure implements Verb.Answer<Left> {
    private final Claim claim;
    private final long until;
    private final RetryDelay.Sequence pause = delay.sequence();
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
      client.storeStatus().heard();
      seenOut(claim);
    }

    /**
     * Returns whether the claim needs no leave any more. The end of a session is not known here:
     * the engine completes the leave once it has noticed it. A client that closes ends its session
     * itself. Claims that never reached the store are dropped, or the claims of a long outage would
     * pile up.
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
      client.storeStatus().failed(failure);
      long next = pause.nextNanos();
      if (client.isClosing()) {
        failures++;
        if (claim.isSurelyAbsent() || isLeftBehindAfter(next)) {
          seenOut(claim);
          return;
        }
      }
      client.world().schedule(next, this::leave);
    }

    /**
     * A store that failed several times in a row is unreachable; one slow reply may only be slow.
     */
    private boolean isLeftBehindAfter(long nanos) {
      return failures >= UNREACHABLE_AFTER && client.isLeftBehindAfter(nanos);
    }
  }
}
