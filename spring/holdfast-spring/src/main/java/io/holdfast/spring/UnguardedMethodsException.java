package io.holdfast.spring;

import java.util.List;

/**
 * Fails the start: there are annotated methods that would not be guarded. See {@link
 * LockedSettings#check()}.
 */
public final class UnguardedMethodsException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final String[] problems;

  UnguardedMethodsException(List<String> problems) {
    super(
        "annotated methods that Holdfast cannot guard (holdfast.locked.check=false starts"
            + " anyway): "
            + String.join("; ", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** Returns what is wrong, each with its annotation and method. */
  public List<String> problems() {
    return List.of(problems);
  }
}
