package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An answer that is written down, however often it comes. */
final class Noted<T> implements Verb.Answer<T> {

  private final List<Object> all = new CopyOnWriteArrayList<>();

  @Override
  public void answered(T answer) {
    all.add(answer);
  }

  @Override
  public void failed(EngineException failure) {
    all.add(failure);
  }

  boolean isThere() {
    return !all.isEmpty();
  }

  int times() {
    return all.size();
  }

  /** The answer or the failure; waits for it. */
  Object get() {
    Await.until("a verb is answered", this::isThere);
    return all.get(0);
  }
}
