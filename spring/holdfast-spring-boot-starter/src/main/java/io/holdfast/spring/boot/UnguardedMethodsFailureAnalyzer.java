package io.holdfast.spring.boot;

import io.holdfast.spring.UnguardedMethodsException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lists the annotated methods that would not be guarded. */
final class UnguardedMethodsFailureAnalyzer
    extends AbstractFailureAnalyzer<UnguardedMethodsException> {

  UnguardedMethodsFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable root, UnguardedMethodsException cause) {
    StringBuilder description =
        new StringBuilder("Holdfast cannot guard annotated methods of this application:\n");
    cause.problems().forEach(problem -> description.append("\n    - ").append(problem));
    return new FailureAnalysis(
        description.toString(),
        "Correct these methods. With holdfast.locked.check=false the application starts anyway:"
            + " these methods then fail when they are called, or run without a lock.",
        cause);
  }
}
