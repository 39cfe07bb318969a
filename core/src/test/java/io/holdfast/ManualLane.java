package io.holdfast;

import io.holdfast.runtime.lane.Lane;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lane that a test operates by hand.
 *
 * <p>A verb is queued, then executed by the store, then completed, each when the test says so, on
 * the thread of the test; other threads may send and close meanwhile.
 */
final class ManualLane implements Lane {

  private record Executed(Verb verb, Runnable complete) {}

  private final LockEngine engine;
  private final Queue<Verb> queued = new ConcurrentLinkedQueue<>();
  private final Queue<Executed> answers = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> attemptsUnderWay = new ConcurrentHashMap<>();
  private final List<Verb> all = new CopyOnWriteArrayList<>();
  private final AtomicInteger mostAttemptsOfAName = new AtomicInteger();
  private Runnable whenAskedForRoom = () -> {};
  private volatile boolean closed;

  ManualLane(LockEngine engine) {
    this.engine = engine;
  }

  @Override
  public void submit(Verb verb) {
    all.add(verb);
    if (closed) {
      verb.fail(new EngineException.NotDone("the lane is closed", null));
      return;
    }
    queued.add(verb);
    if (verb instanceof Verb.Attempt) {
      int now = attemptsUnderWay.merge(name(verb), 1, Integer::sum);
      mostAttemptsOfAName.accumulateAndGet(now, Math::max);
    }
  }

  private static String name(Verb verb) {
    return verb.ticket().resource().name();
  }

  private void noLongerUnderWay(Verb verb) {
    if (verb instanceof Verb.Attempt) {
      attemptsUnderWay.merge(name(verb), -1, Integer::sum);
    }
  }

  @Override
  public boolean withdraw(Verb verb) {
    boolean waited = queued.remove(verb);
    if (waited) {
      noLongerUnderWay(verb);
    }
    return waited;
  }

  /** Runs when the next acquire asks whether there is room: before it joins its line. */
  void whenAskedForRoom(Runnable action) {
    whenAskedForRoom = action;
  }

  @Override
  public boolean isFull() {
    Runnable action = whenAskedForRoom;
    whenAskedForRoom = () -> {};
    action.run();
    return false;
  }

  @Override
  public void close() {
    closed = true;
    for (Verb verb = queued.poll(); verb != null; verb = queued.poll()) {
      verb.fail(new EngineException.NotDone("the lane was closed", null));
    }
  }

  /** Every verb that was ever sent here. */
  List<Verb> all() {
    return List.copyOf(all);
  }

  /** The most attempts for one name that were on their way at a time. */
  int mostAttemptsOfAName() {
    return mostAttemptsOfAName.get();
  }

  boolean hasQueued() {
    return !queued.isEmpty();
  }

  boolean hasAnswers() {
    return !answers.isEmpty();
  }

  /** Executes the next verb in the store; its caller gets no reply yet. */
  void execute() {
    Verb verb = queued.poll();
    if (verb == null) {
      return;
    }
    Runnable complete;
    try {
      complete = run(verb);
    } catch (EngineException e) {
      complete = () -> verb.fail(e);
    }
    answers.add(new Executed(verb, complete));
  }

  private Runnable run(Verb verb) throws EngineException {
    if (verb instanceof Verb.Attempt attempt) {
      var standing = engine.attempt(attempt.ticket(), attempt.wake());
      return () -> attempt.complete(standing);
    } else if (verb instanceof Verb.Renew renew) {
      var renewal = engine.renew(renew.ticket());
      return () -> renew.complete(renewal);
    } else if (verb instanceof Verb.Leave leave) {
      var left = engine.leave(leave.ticket(), leave.inDoubt());
      return () -> leave.complete(left);
    } else if (verb instanceof Verb.Settle settle) {
      boolean settled = engine.settle(settle.ticket(), settle.keep());
      return () -> settle.complete(settled);
    }
    boolean resized = engine.resize(verb.ticket());
    return () -> ((Verb.Resize) verb).complete(resized);
  }

  /** Completes the verb that was executed first. */
  void answer() {
    Executed next = answers.remove();
    noLongerUnderWay(next.verb);
    next.complete.run();
  }

  /** Loses the reply of the verb that was executed first. */
  void loseAnswer() {
    lose(answers.remove().verb);
  }

  /** Loses the next verb before it reaches the store, which the client cannot know. */
  void loseRequest() {
    lose(queued.remove());
  }

  private void lose(Verb verb) {
    noLongerUnderWay(verb);
    verb.fail(new EngineException.Unknown("the connection broke", null));
  }

  /** Executes and completes verbs until none is left. */
  void runDry() {
    while (hasQueued() || hasAnswers()) {
      if (hasAnswers()) {
        answer();
      } else {
        execute();
      }
    }
  }
}
