package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one wait loop: asks for a claim until it is in, and leaves on every other way out.
 *
 * <p>Driven by events alone: an answer, a wake, a timer, a cancel. Whoever waits for it does so
 * elsewhere and has its own deadline.
 */
final class Acquisition implements Asker {

  /*
   * No wake is lost: a wake while asking makes it ask once more after the answer, a wake while
   * sleeping ends the sleep, and a sleep is never longer than the poll interval, so a wake that
   * never came costs half a second. No claim is left behind: start() is paired with granted(),
   * with busy() of a ticket that does not wait, with done(), with refused(), or with cancel(),
   * which hands the claim to the leaver.
   */

  /** Where the loop ends; exactly one of these is called, unless it is cancelled first. */
  interface Goal {

    /** The claim is in and may be believed in. */
    void granted(Claim claim);

    /** The store said busy, and the ticket does not wait. */
    void busy();

    /** The period's run is done. */
    void done(Standing.Done done);

    /** Waiting does not help. */
    void refused(EngineException refusal);

    /** The store said busy, and the loop goes on: who only tries may give up. */
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
  private final Backoff poll;
  private final ReentrantLock lock = new ReentrantLock();

  private Phase phase = Phase.ASKING;
  private boolean again;
  private @Nullable Runnable timer;
  private volatile Word word = Word.NONE;

  Acquisition(Client client, Claim claim, Goal goal) {
    this.client = client;
    this.claim = claim;
    this.goal = goal;
    this.poll = Backoff.polling(client.jitter());
  }

  void start() {
    ask();
  }

  Claim claim() {
    return claim;
  }

  /** What the store has said so far. */
  Word word() {
    return word;
  }

  private void ask() {
    word = word.asked();
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
   * Believed only while no verb is under way, whose answer decides, and if no attempt was sent
   * since that one: one that was told to wait since knows better. Both are looked at under the
   * lock, since whoever calls may have been stopped on its way here for longer than a lease.
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
      granted();
    } else {
      wake();
    }
  }

  /**
   * Ends the loop, if it has not ended, and sees to it that nothing stays behind.
   *
   * @return the last word; none when nothing ever reached the store
   */
  Word cancel() {
    boolean nothingSent;
    lock.lock();
    try {
      if (phase == Phase.OVER) {
        return word;
      }
      phase = Phase.OVER;
      stopTimer();
      nothingSent = claim.withdraw() && word.attempts() == 1;
    } finally {
      lock.unlock();
    }
    if (nothingSent) {
      return Word.NONE;
    }
    client.leaver().takeOver(claim);
    return word;
  }

  @Override
  public void answered(Standing standing) {
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
    client.pulse().heard(now);
    if (claim.remaining(now) < claim.terms().lease() / 10 && !isOver()) {
      // A grant that is about to end, or of which a suspension has left little, is worth nothing;
      // asking again renews it, or joins anew if it is over in the store.
      ask();
    } else if (ends()) {
      goal.granted(claim);
    }
  }

  private void mustWait(Standing.Waiting waiting) {
    client.pulse().heard(client.world().nanoTime());
    word = word.busy(waiting);
    if (!claim.ticket().waits()) {
      if (ends()) {
        if (claim.isDoubtful()) {
          // What came of the others is not in line; one that comes late must not join for nobody.
          client.leaver().takeOver(claim);
        }
        goal.busy();
      }
      return;
    }
    sleepOrAsk(Math.min(waiting.retryAfter().toNanos(), poll.next()));
    goal.waiting();
  }

  @Override
  public void failed(EngineException failure) {
    word = word.failed(failure);
    if (failure instanceof EngineException.Refused) {
      if (ends()) {
        leaveIfDoubtful();
        goal.refused(failure);
      }
      return;
    }
    client.pulse().failed(failure);
    sleepOrAsk(poll.next());
  }

  /** An earlier attempt may have joined though the last one did not. */
  private void leaveIfDoubtful() {
    if (word.attempts() > 1) {
      client.leaver().takeOver(claim);
    }
  }

  /** Answers whether the loop ended just now. */
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
