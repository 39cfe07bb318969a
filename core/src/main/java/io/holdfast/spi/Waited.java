package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** The reply to a verb that was performed by itself, on the calling thread. */
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
      throw new EngineException.Unknown("there was no reply", null);
    }
    return answer;
  }
}
