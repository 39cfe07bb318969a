package io.holdfast;

import io.holdfast.spi.EngineException;

/** What can go wrong with a verb, for the scripts of a {@link ScriptedEngine}. */
final class Faults {

  private Faults() {}

  /** Nothing reaches the store, and that is certain. */
  static ScriptedEngine.Fault down() {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.NotDone("connection refused", null);
      }
    };
  }

  /** The store does it; the answer never comes. */
  static ScriptedEngine.Fault answerLost() {
    return new ScriptedEngine.Fault() {
      @Override
      public void after() throws EngineException {
        throw new EngineException.Unknown("connection reset", null);
      }
    };
  }

  /** The store never hears of it, which nobody here can know. */
  static ScriptedEngine.Fault requestLost() {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.Unknown("connection reset", null);
      }
    };
  }

  static ScriptedEngine.Fault refused(String why) {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.Refused(why);
      }
    };
  }

  /** Runs something of the test's at the moment when a verb of it is answered. */
  static ScriptedEngine.Fault whenDone(Runnable action) {
    return new ScriptedEngine.Fault() {
      @Override
      public void after() {
        action.run();
      }
    };
  }
}
