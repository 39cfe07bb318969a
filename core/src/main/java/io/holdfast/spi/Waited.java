package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The answer of a verb that was performed by itself, on the thread that asks for it. */
final class Waited<T> implements Verb.Answer<T> {

  private @Nullable T answer;
  private @Nullable EngineException failure;

  @Override
  public void answered(T value) {
    answer = value;
  }

  @Override
  public void failed(EngineException why) {
    failure = why;
  }

  T get() throws EngineException {
    if (failure != null) {
      throw failure;
    }
    if (answer == null) {
      throw new EngineException.Unknown("there was no answer", null);
    }
    return answer;
  }
}
