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

/** One connection through the {@link Straits}. */
final class FaultyLane implements BatchEngine {

  private final FaultyEngine engine;
  private final LockEngine inner;
  private final Straits straits;
  private volatile boolean closed;

  /**
   * A lane.
   *
   * @param engine whose lane it is
   * @param inner the real lane; closed with this one unless it is the real engine itself
   */
  FaultyLane(FaultyEngine engine, LockEngine inner, Straits straits) {
    this.engine = engine;
    this.inner = inner;
    this.straits = straits;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void perform(List<Verb> batch) {
    straits.log.sent(batch);
    if (!straits.passes(this)) {
      batch.forEach(straits::keepBack);
      batch.forEach(verb -> unknown(verb, "the lane was closed while the store hung"));
      return;
    }
    List<Verb> unharmed = new ArrayList<>();
    for (Verb verb : batch) {
      Fault fault = straits.plan.next(verb);
      if (fault == Fault.NONE) {
        unharmed.add(heard(verb));
      } else {
        suffer(verb, fault);
      }
    }
    send(unharmed);
  }

  private void send(List<Verb> verbs) {
    if (verbs.size() == 1) {
      verbs.get(0).runOn(inner);
    } else if (!verbs.isEmpty()) {
      inner.perform(verbs);
    }
  }

  private Verb heard(Verb verb) {
    return heard(verb, Runnable::run);
  }

  private Verb heard(Verb verb, Consumer<Runnable> pass) {
    Consumer<Object> reached = straits.log.reaches(verb);
    Wake wake = verb instanceof Verb.Attempt a ? straits.through(a.wake()) : () -> {};
    return Copied.passing(
        verb,
        wake,
        reached,
        passing -> {
          straits.log.done(verb);
          pass.accept(passing);
        });
  }

  private void suffer(Verb verb, Fault fault) {
    switch (fault) {
      case NOT_DONE ->
          fail(verb, new EngineException.NotDone("the line to the store is cut", null));
      case REFUSED -> fail(verb, new EngineException.Refused("the store was told to refuse"));
      case LOST_REQUEST -> unknown(verb, "the request got lost");
      case LATE -> {
        straits.keepBack(verb);
        unknown(verb, "the request is late");
      }
      case LOST_REPLY -> {
        unheard(verb);
        unknown(verb, "the reply got lost");
      }
      case DOUBLED -> {
        // The first answer is passed on after the second run: it may start the next verb.
        List<Runnable> first = new ArrayList<>();
        heard(verb, first::add).runOn(inner);
        unheard(verb);
        first.forEach(Runnable::run);
      }
      case NONE -> throw new AssertionError();
    }
  }

  private void unheard(Verb verb) {
    Copied.unheard(verb, straits.log.reaches(verb)).runOn(inner);
  }

  private void unknown(Verb verb, String why) {
    fail(verb, new EngineException.Unknown(why, null));
  }

  private void fail(Verb verb, EngineException failure) {
    straits.log.done(verb);
    verb.fail(failure);
  }

  @Override
  public EngineTraits traits() {
    return engine.traits();
  }

  @Override
  public void close() {
    closed = true;
    straits.laneClosed();
    if (inner != engine.real()) {
      inner.close();
    }
  }
}
