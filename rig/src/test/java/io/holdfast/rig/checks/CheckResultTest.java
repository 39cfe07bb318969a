package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckResultTest {
  @Test
  void a_checker_that_saw_too_little_does_not_pass() {
    CheckResult verdict = new CheckResult("overlap", 3, List.of());
    assertThatCode(() -> verdict.requireClean(3)).doesNotThrowAnyException();
    assertThatThrownBy(() -> verdict.requireClean(4))
        .isInstanceOf(AssertionError.class)
        .hasMessage("overlap: 3 checked, 0 violations, but at least 4 were expected");
  }
}
