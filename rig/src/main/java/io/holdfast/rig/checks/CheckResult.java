package io.holdfast.rig.checks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a checker found.
 *
 * @param checker its name
 * @param checked how many things it looked at: a checker that saw nothing proves nothing
 */
public record CheckResult(String checker, long checked, List<Violation> violations) {
  private static final int QUOTED = 10;

  /** Copies the list. */
  public CheckResult {
    violations = List.copyOf(violations);
  }

  /** Whether it found nothing wrong. */
  public boolean isClean() {
    return violations.isEmpty();
  }

  /**
   * Passes if it found nothing wrong and looked at enough.
   *
   * @throws AssertionError with the violations otherwise
   */
  public void requireClean(long atLeastChecked) {
    if (!isClean()) {
      throw new AssertionError(toString());
    }
    if (checked < atLeastChecked) {
      throw new AssertionError(this + ", but at least " + atLeastChecked + " were expected");
    }
  }

  /** One line if clean; otherwise with the first violations. */
  @Override
  public String toString() {
    String summary = "%s: %d checked, %d violations".formatted(checker, checked, violations.size());
    return violations.stream()
        .limit(QUOTED)
        .map(violation -> "\n  " + violation)
        .collect(Collectors.joining("", summary, ""));
  }
}
