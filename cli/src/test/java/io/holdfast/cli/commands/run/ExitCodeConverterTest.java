package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Main;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

@DisplayName("Exit codes to choose:")
class ExitCodeConverterTest {

  @Test
  @DisplayName("are what a process can end with")
  void taken() {
    assertThat(new ExitCodeConverter().convert("0")).isZero();
    assertThat(new ExitCodeConverter().convert("255")).isEqualTo(255);
  }

  @ParameterizedTest
  @ValueSource(strings = {"256", "-1", "1000", "", "x", "+1"})
  @DisplayName("others are refused")
  void refused(String text) {
    assertThatThrownBy(() -> new ExitCodeConverter().convert(text))
        .isInstanceOf(TypeConversionException.class);
    assertThat(Main.wholeTree().execute("run", "x", "-E", text, "--", "true"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(
            Main.wholeTree()
                .execute("once", "x", "--every", "1h", "--done-exit-code", text, "--", "true"))
        .isEqualTo(ExitCode.USAGE);
  }
}
