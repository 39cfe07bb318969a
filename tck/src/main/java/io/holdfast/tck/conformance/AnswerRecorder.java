package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Records the result of one verb, and how often it was completed. */
final class AnswerRecorder<T> implements Verb.Answer<T> {

  private final AtomicInteger times = new AtomicInteger();
  private volatile @Nullable T answer;
  private volatile @Nullable EngineException failure;

  @Override
  public void answered(T value) {
    answer = value;
    times.incrementAndGet();
  }

  @Override
  public void failed(EngineException why) {
    failure = why;
    times.incrementAndGet();
  }

  /** The number of times the verb was completed. */
  int times() {
    return times.get();
  }

  @Nullable EngineException failure() {
    return failure;
  }

  T get() throws EngineException {
    EngineException why = failure;
    if (why != null) {
      throw why;
    }
    T value = answer;
    if (value == null) {
      throw new AssertionError("the engine returned and left the verb without a result");
    }
    return value;
  }
}
