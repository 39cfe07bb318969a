package io.holdfast.tck;

import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One lane over a {@link FaultyConnection}. */
final class FaultyLane implements BatchEngine {

  private final FaultyEngine engine;
  private final LockEngine inner;
  private final FaultyConnection connection;
  private volatile boolean closed;

  /**
   * Creates a lane.
   *
   * @param inner the real lane; closed with this lane unless it is the real engine itself
   */
  FaultyLane(FaultyEngine engine, LockEngine inner, FaultyConnection connection) {
    this.engine = engine;
    this.inner = inner;
    this.connection = connection;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void perform(List<Verb> batch) {
    connection.log.sent(batch);
    if (!connection.awaitPassage(this)) {
      batch.forEach(connection::delay);
      batch.forEach(verb -> unknown(verb, "the lane was closed while the store hung"));
      return;
    }
    List<Verb> faultless = new ArrayList<>();
    for (Verb verb : batch) {
      VerbFault fault = connection.plan.next(verb);
      if (fault == VerbFault.NONE) {
        faultless.add(forwarded(verb));
      } else {
        inject(verb, fault);
      }
    }
    send(faultless);
  }

  private void send(List<Verb> verbs) {
    if (verbs.size() == 1) {
      verbs.get(0).runOn(inner);
    } else if (!verbs.isEmpty()) {
      inner.perform(verbs);
    }
  }

  private Verb forwarded(Verb verb) {
    return forwarded(verb, Runnable::run);
  }

  private Verb forwarded(Verb verb, Consumer<Runnable> pass) {
    Consumer<Object> reached = connection.log.reaches(verb);
    Wake wake = verb instanceof Verb.Attempt a ? connection.filtered(a.wake()) : () -> {};
    return VerbCopy.forwarding(
        verb,
        wake,
        reached,
        passing -> {
          connection.log.done(verb);
          pass.accept(passing);
        });
  }

  private void inject(Verb verb, VerbFault fault) {
    switch (fault) {
      case NOT_DONE ->
          fail(verb, new EngineException.NotDone("the connection to the store is cut", null));
      case REFUSED -> fail(verb, new EngineException.Refused("the test refused the verb"));
      case LOST_REQUEST -> unknown(verb, "the request was lost");
      case LATE -> {
        connection.delay(verb);
        unknown(verb, "the request is delayed");
      }
      case LOST_REPLY -> {
        executeUnheard(verb);
        unknown(verb, "the reply was lost");
      }
      case DOUBLED -> {
        // The first result is returned after the second run: it may start the next verb.
        List<Runnable> first = new ArrayList<>();
        forwarded(verb, first::add).runOn(inner);
        executeUnheard(verb);
        first.forEach(Runnable::run);
      }
      case NONE -> throw new AssertionError();
    }
  }

  private void executeUnheard(Verb verb) {
    VerbCopy.unanswered(verb, connection.log.reaches(verb)).runOn(inner);
  }

  private void unknown(Verb verb, String why) {
    fail(verb, new EngineException.Unknown(why, null));
  }

  private void fail(Verb verb, EngineException failure) {
    connection.log.done(verb);
    verb.fail(failure);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  @Override
  public void close() {
    closed = true;
    connection.laneClosed();
    if (inner != engine.real()) {
      inner.close();
    }
  }
}
