package io.holdfast;

import io.holdfast.spi.EngineException;

/** What can go wrong with a verb, for the scripts of a {@link ScriptedEngine}. */
public final class Faults {

  private Faults() {}

  /** Nothing reaches the store, and that is certain. */
  public static ScriptedEngine.Fault down() {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.NotDone("connection refused", null);
      }
    };
  }

  /** The store executes the verb; the reply never arrives. */
  public static ScriptedEngine.Fault answerLost() {
    return new ScriptedEngine.Fault() {
      @Override
      public void after() throws EngineException {
        throw new EngineException.Unknown("connection reset", null);
      }
    };
  }

  /** The verb never reaches the store, which the client cannot know. */
  public static ScriptedEngine.Fault requestLost() {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.Unknown("connection reset", null);
      }
    };
  }

  public static ScriptedEngine.Fault refused(String why) {
    return new ScriptedEngine.Fault() {
      @Override
      public void before() throws EngineException {
        throw new EngineException.Refused(why);
      }
    };
  }

  /** Runs an action of the test at the moment when a verb gets its reply. */
  public static ScriptedEngine.Fault whenDone(Runnable action) {
    return new ScriptedEngine.Fault() {
      @Override
      public void after() {
        action.run();
      }
    };
  }
}
