package io.holdfast.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The doctor")
class DoctorCommandTest {

  @Test
  @DisplayName("prints nothing that moves the cursor, whoever said it")
  void foreignWords() {
    Printed printed = Printed.by("doctor", "--store", "redis://h\u001bx");

    assertThat(printed.out()).contains("BAD ", "h\\u001bx").doesNotContain("\u001b");
  }
}
