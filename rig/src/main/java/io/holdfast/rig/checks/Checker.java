package io.holdfast.rig.checks;

import io.holdfast.rig.history.History;

/** A rule that every history must keep. */
@FunctionalInterface
public interface Checker {
  /** Looks at a whole history; never throws for a broken rule, but names it in the verdict. */
  CheckResult check(History history);
}
