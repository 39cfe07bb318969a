package io.holdfast.spi;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** One verb of a batch and the place for its reply; the first completion counts. */
public abstract sealed class Verb {

  private final Ticket ticket;
  private final AtomicBoolean complete = new AtomicBoolean();
  private volatile boolean unknown;

  private Verb(Ticket ticket) {
    this.ticket = ticket;
  }

  /** Receives the reply to one verb, exactly once, on the thread that completes it. */
  public interface Answer<T> {

    /** The store replied. */
    void answered(T answer);

    /** There was no reply. */
    void failed(EngineException failure);
  }

  /** Returns the ticket of the verb. */
  public final Ticket ticket() {
    return ticket;
  }

  /** Returns whether the verb is complete. */
  public final boolean isComplete() {
    return complete.get();
  }

  /** Returns whether it was completed as {@link EngineException.Unknown}. */
  public final boolean isUnknown() {
    return unknown;
  }

  /** Runs the verb by itself on the engine and completes it, even when the engine throws. */
  public final void runOn(LockEngine engine) {
    try {
      run(engine);
    } catch (EngineException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(
          new EngineException.Unknown(
              "engine failed on " + ticket.resource() + " at " + engine.traits().store(), e));
    }
  }

  /** Completes the verb without a reply; no effect when it is complete. */
  public final void fail(EngineException failure) {
    if (completes()) {
      unknown = failure instanceof EngineException.Unknown;
      answer().failed(failure);
    }
  }

  final boolean completes() {
    return complete.compareAndSet(false, true);
  }

  abstract void run(LockEngine engine) throws EngineException;

  abstract Answer<?> answer();

  /** {@link LockEngine#attempt}. */
  public static final class Attempt extends Verb {
    private final Wake wake;
    private final Answer<Standing> answer;

    public Attempt(Ticket ticket, Wake wake, Answer<Standing> answer) {
      super(ticket);
      this.wake = wake;
      this.answer = answer;
    }

    /** Returns the wake to call when another attempt is worthwhile. */
    public Wake wake() {
      return wake;
    }

    /** Completes the verb; no effect when it is complete. */
    public void complete(Standing standing) {
      if (completes()) {
        answer.answered(standing);
      }
    }

    @Override
    void run(LockEngine engine) throws EngineException {
      complete(engine.attempt(ticket(), wake));
    }

    @Override
    Answer<?> answer() {
      return answer;
    }
  }

  /** {@link LockEngine#renew}. */
  public static final class Renew extends Verb {
    private final Answer<Renewal> answer;

    public Renew(Ticket ticket, Answer<Renewal> answer) {
      super(ticket);
      this.answer = answer;
    }

    /** Completes the verb; no effect when it is complete. */
    public void complete(Renewal renewal) {
      if (completes()) {
        answer.answered(renewal);
      }
    }

    @Override
    void run(LockEngine engine) throws EngineException {
      complete(engine.renew(ticket()));
    }

    @Override
    Answer<?> answer() {
      return answer;
    }
  }

  /** {@link LockEngine#leave}. */
  public static final class Leave extends Verb {
    private final boolean inDoubt;
    private final Answer<Left> answer;

    public Leave(Ticket ticket, boolean inDoubt, Answer<Left> answer) {
      super(ticket);
      this.inDoubt = inDoubt;
      this.answer = answer;
    }

    /** Returns whether an attempt of the ticket may still arrive. */
    public boolean inDoubt() {
      return inDoubt;
    }

    /** Completes the verb; no effect when it is complete. */
    public void complete(Left left) {
      if (completes()) {
        answer.answered(left);
      }
    }

    @Override
    void run(LockEngine engine) throws EngineException {
      complete(engine.leave(ticket(), inDoubt));
    }

    @Override
    Answer<?> answer() {
      return answer;
    }
  }

  /** {@link LockEngine#settle}. */
  public static final class Settle extends Verb {
    private final Duration keep;
    private final Answer<Boolean> answer;

    public Settle(Ticket ticket, Duration keep, Answer<Boolean> answer) {
      super(ticket);
      this.keep = keep;
      this.answer = answer;
    }

    /** Returns how long the mark stays, counted from the call. */
    public Duration keep() {
      return keep;
    }

    /** Completes the verb; no effect when it is complete. */
    public void complete(boolean settled) {
      if (completes()) {
        answer.answered(settled);
      }
    }

    @Override
    void run(LockEngine engine) throws EngineException {
      complete(engine.settle(ticket(), keep));
    }

    @Override
    Answer<?> answer() {
      return answer;
    }
  }

  /** {@link LockEngine#resize}. */
  public static final class Resize extends Verb {
    private final Answer<Boolean> answer;

    public Resize(Ticket ticket, Answer<Boolean> answer) {
      super(ticket);
      this.answer = answer;
    }

    /** Completes the verb; no effect when it is complete. */
    public void complete(boolean resized) {
      if (completes()) {
        answer.answered(resized);
      }
    }

    @Override
    void run(LockEngine engine) throws EngineException {
      complete(engine.resize(ticket()));
    }

    @Override
    Answer<?> answer() {
      return answer;
    }
  }
}
