package io.holdfast.runtime.acquire;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.renew.SendTime;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import io.holdfast.spi.support.RetryDelay;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The wait loop: requests a claim until it is granted, and otherwise leaves.
 *
 * <p>It is driven by events alone: a reply, a wake, a timer or a cancel. The caller waits elsewhere
 * and has a deadline of its own.
 */
public final class Acquisition implements AttemptListener {

  /*
   * No wake is lost: a wake during an attempt causes another attempt after the reply, a wake during
   * a sleep ends the sleep, and a sleep is never longer than the poll interval. So a wake that
   * never arrives costs half a second. No claim is left behind: start() is paired with granted(),
   * with busy() of a ticket that does not wait, with done(), with refused(), or with cancel(),
   * which passes the claim to the leaver.
   */

  /**
   * The end of the loop. Exactly one of these methods is called, unless the loop is cancelled
   * first.
   */
  public interface Goal {

    /** The claim is granted and may be believed. */
    void granted(Claim claim);

    /** The store reported busy, and the ticket does not wait. */
    void busy();

    /** The run of this period is done. */
    void done(Standing.Done done);

    /** The store refused the ticket; waiting does not help. */
    void refused(EngineException refusal);

    /** The store reported busy, and the loop continues; a caller that only tries may give up. */
    default void waiting() {}
  }

  private enum Phase {
    ASKING,
    SLEEPING,
    OVER
  }

  private final Client client;
  private final Claim claim;
  private final Goal goal;
  private final RetryDelay.Sequence poll;
  private final ReentrantLock lock = new ReentrantLock();

  private Phase phase = Phase.ASKING;
  private boolean again;
  private @Nullable Runnable timer;
  private volatile StoreReplies replies = StoreReplies.NONE;

  public Acquisition(Client client, Claim claim, Goal goal) {
    this.client = client;
    this.claim = claim;
    this.goal = goal;
    this.poll = client.polling().sequence();
  }

  public void start() {
    ask();
  }

  Claim claim() {
    return claim;
  }

  /** Returns what the store has reported so far. */
  StoreReplies replies() {
    return replies;
  }

  private void ask() {
    replies = replies.asked();
    claim.attempt(this);
  }

  @Override
  public void wake() {
    lock.lock();
    try {
      if (phase == Phase.ASKING) {
        again = true;
        return;
      }
      if (phase == Phase.OVER) {
        return;
      }
      phase = Phase.ASKING;
      again = false;
      stopTimer();
    } finally {
      lock.unlock();
    }
    ask();
  }

  /**
   * A grant by signal is believed only while no verb is under way (its reply decides) and if no
   * attempt was sent since: a newer attempt whose reply was Waiting is more recent. Both are
   * checked under the lock, because the calling thread may have been stopped on its way here for
   * longer than a lease.
   */
  @Override
  public void letIn(Standing.Granted granted, SendTime attempt) {
    boolean believed;
    lock.lock();
    try {
      believed = phase == Phase.SLEEPING && claim.wasLast(attempt);
      if (believed) {
        phase = Phase.ASKING;
        again = false;
        stopTimer();
      }
    } finally {
      lock.unlock();
    }
    if (believed) {
      claim.believe(granted, attempt);
      client.leaver().whileOpen(this::granted);
    } else {
      wake();
    }
  }

  /**
   * Ends the loop, if it has not ended, and makes sure that nothing stays in the store.
   *
   * @return the store's last answer; empty when nothing reached the store
   */
  public StoreReplies cancel() {
    StoreReplies[] last = {StoreReplies.NONE};
    client.leaver().whileOpen(() -> last[0] = cancelled());
    return last[0];
  }

  private StoreReplies cancelled() {
    boolean nothingSent;
    lock.lock();
    try {
      if (phase == Phase.OVER) {
        return replies;
      }
      phase = Phase.OVER;
      stopTimer();
      nothingSent = claim.withdraw() && replies.attempts() == 1;
    } finally {
      lock.unlock();
    }
    if (nothingSent) {
      return StoreReplies.NONE;
    }
    client.leaver().takeOver(claim);
    return replies;
  }

  @Override
  public void answered(Standing standing) {
    client.leaver().whileOpen(() -> decide(standing));
  }

  private void decide(Standing standing) {
    if (standing instanceof Standing.Granted) {
      granted();
    } else if (standing instanceof Standing.Waiting waiting) {
      mustWait(waiting);
    } else if (ends()) {
      leaveIfDoubtful();
      goal.done((Standing.Done) standing);
    }
  }

  private void granted() {
    long now = claim.confirmedAt();
    client.storeStatus().heard(now);
    if (claim.remaining(now) < claim.terms().lease() / 10 && !isOver()) {
      // A grant that is about to end, or of which a suspension has left little, is useless. Another
      // attempt renews it, or joins again if it has ended in the store.
      ask();
    } else if (ends()) {
      goal.granted(claim);
    }
  }

  private void mustWait(Standing.Waiting waiting) {
    client.storeStatus().heard(client.world().nanoTime());
    replies = replies.busy(waiting);
    if (!claim.ticket().waits()) {
      if (ends()) {
        if (claim.isDoubtful()) {
          // The earlier attempts are not in line; a late one must not join without a caller.
          client.leaver().takeOver(claim);
        }
        goal.busy();
      }
      return;
    }
    sleepOrAsk(Math.min(waiting.retryAfter().toNanos(), poll.nextNanos()));
    goal.waiting();
  }

  @Override
  public void failed(EngineException failure) {
    client.leaver().whileOpen(() -> decide(failure));
  }

  private void decide(EngineException failure) {
    replies = replies.failed(failure);
    if (failure instanceof EngineException.Refused) {
      if (ends()) {
        leaveIfDoubtful();
        goal.refused(failure);
      }
      return;
    }
    client.storeStatus().failed(failure);
    sleepOrAsk(poll.nextNanos());
  }

  /** An earlier attempt may have joined although the last one did not. */
  private void leaveIfDoubtful() {
    if (replies.attempts() > 1) {
      client.leaver().takeOver(claim);
    }
  }

  /** Ends the loop; returns false if it had ended before. */
  private boolean ends() {
    lock.lock();
    try {
      if (phase == Phase.OVER) {
        return false;
      }
      phase = Phase.OVER;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return phase == Phase.OVER;
    } finally {
      lock.unlock();
    }
  }

  private void sleepOrAsk(long nanos) {
    lock.lock();
    try {
      if (phase == Phase.OVER) {
        return;
      }
      if (!again && nanos > 0) {
        phase = Phase.SLEEPING;
        long most = claim.terms().lease() / 3;
        timer = client.world().schedule(Math.min(nanos, most), this::wake);
        return;
      }
      again = false;
    } finally {
      lock.unlock();
    }
    ask();
  }

  private void stopTimer() {
    if (timer != null) {
      timer.run();
      timer = null;
    }
  }
}
