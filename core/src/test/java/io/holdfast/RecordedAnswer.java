package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the answer to a verb, and how often it was given. */
public final class RecordedAnswer<T> implements Verb.Answer<T> {

  private final List<Object> all = new CopyOnWriteArrayList<>();

  @Override
  public void answered(T answer) {
    all.add(answer);
  }

  @Override
  public void failed(EngineException failure) {
    all.add(failure);
  }

  public boolean isThere() {
    return !all.isEmpty();
  }

  public int times() {
    return all.size();
  }

  /** Waits for the answer or the failure and returns it. */
  public Object get() {
    Await.until("a verb is answered", this::isThere);
    return all.get(0);
  }
}
