package io.holdfast.runtime.primitive;

import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import io.holdfast.LockLostException;
import io.holdfast.MultiHold;
import io.holdfast.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several holds that are acquired and released together. */
final class DefaultMultiHold implements MultiHold {

  private final List<Hold> holds;

  DefaultMultiHold(List<Hold> holds) {
    this.holds = List.copyOf(holds);
  }

  @Override
  public Map<String, Long> tokens() {
    Map<String, Long> tokens = new LinkedHashMap<>();
    holds.forEach(hold -> tokens.put(hold.name(), hold.token()));
    return tokens;
  }

  @Override
  public List<Hold> holds() {
    return holds;
  }

  @Override
  public boolean isHeld() {
    return holds.stream().allMatch(Hold::isHeld);
  }

  @Override
  public void ensureHeld() {
    holds.forEach(Hold::ensureHeld);
  }

  @Override
  public Outcome release() {
    Outcome worst = Outcome.RELEASED;
    for (int i = holds.size() - 1; i >= 0; i--) {
      Outcome outcome = holds.get(i).release();
      worst = outcome.compareTo(worst) > 0 ? outcome : worst;
    }
    return worst;
  }

  @Override
  public void close() {
    @Nullable HoldfastException first = null;
    for (int i = holds.size() - 1; i >= 0; i--) {
      try {
        holds.get(i).close();
      } catch (LockLostException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
