package io.holdfast.cli.commands.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliOutput;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The doctor")
class DoctorCommandTest {

  @Test
  @DisplayName("escapes control characters of an address that it quotes")
  void controlCharacters() {
    CliOutput printed = CliOutput.by("doctor", "--store", "redis://h?a\u001bx=1");

    assertThat(printed.out()).contains("BAD ", "\\u001bx").doesNotContain("\u001b");
  }
}
