package io.holdfast.remote.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import io.holdfast.spi.wire.Reply;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The verbs of a batch that was sent, and the thread that waits for their replies. */
final class PendingVerbs {

  private final int first;
  private final List<Verb> verbs;
  private final AtomicInteger open;
  private final Thread waiting = Thread.currentThread();

  /**
   * Creates it for the calling thread.
   *
   * @param first the number of the first verb
   */
  PendingVerbs(int first, List<Verb> verbs) {
    this.first = first;
    this.verbs = verbs;
    this.open = new AtomicInteger(verbs.size());
  }

  /** Returns the verb with this number, or null when it is not one of these. */
  @Nullable Verb find(int number) {
    int index = number - first;
    return index >= 0 && index < verbs.size() ? verbs.get(index) : null;
  }

  /** Completes a verb with the server's reply. */
  void complete(Verb verb, Reply reply) {
    if (verb.isComplete()) {
      return;
    }
    if (reply instanceof Reply.Failed failed) {
      verb.fail(failed.failure());
    } else if (verb instanceof Verb.Attempt attempt && reply instanceof Reply.OfAttempt of) {
      attempt.complete(of.standing());
    } else if (verb instanceof Verb.Renew renew && reply instanceof Reply.OfRenew of) {
      renew.complete(of.renewal());
    } else if (verb instanceof Verb.Leave leave && reply instanceof Reply.OfLeave of) {
      leave.complete(of.left());
    } else if (verb instanceof Verb.Settle settle && reply instanceof Reply.OfChange of) {
      settle.complete(of.isDone());
    } else if (verb instanceof Verb.Resize resize && reply instanceof Reply.OfChange of) {
      resize.complete(of.isDone());
    } else {
      verb.fail(new EngineException.Unknown("the server replied to another verb", null));
    }
    if (open.decrementAndGet() == 0) {
      goOn();
    }
  }

  /** Lets the waiting thread look again. */
  void goOn() {
    LockSupport.unpark(waiting);
  }

  /** Waits until all are complete, the time is up, or there is nothing to wait for. */
  void await(long nanos, BooleanSupplier isLost) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    while (open.get() > 0 && !isLost.getAsBoolean()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isComplete() {
    return open.get() == 0;
  }
}
