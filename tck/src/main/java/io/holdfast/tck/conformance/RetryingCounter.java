package io.holdfast.tck.conformance;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;

/** A counter that retries calls that the store reports as not done. */
record RetryingCounter(Counter real) implements Counter {

  private static final int TRIES = 30;

  @Override
  public long take(Ask ask) throws EngineException {
    for (int tries = 1; ; tries++) {
      try {
        return real.take(ask);
      } catch (EngineException.NotDone e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    for (int tries = 1; ; tries++) {
      try {
        return real.giveBack(name, from, end);
      } catch (EngineException.NotDone e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  @Override
  public boolean forgets() {
    return real.forgets();
  }
}
