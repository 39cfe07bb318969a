package io.holdfast.runtime.lane;

import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Verb;

/** The lane of engines that never block: a verb runs on the caller's thread. */
final class CallerLane implements Lane {

  private final LockEngine engine;

  CallerLane(LockEngine engine) {
    this.engine = engine;
  }

  @Override
  public void submit(Verb verb) {
    verb.runOn(engine);
  }

  @Override
  public boolean withdraw(Verb verb) {
    return false;
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void close() {}
}
