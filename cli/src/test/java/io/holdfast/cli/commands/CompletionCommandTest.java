package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast completion")
@Timeout(30)
class CompletionCommandTest {

  /**
   * What bash offers for the words, of which the last one is completed. It is asked outside of a
   * real completion, where its own compopt would complain.
   */
  private static String completed(Path script, String line) throws Exception {
    String ask =
        "compopt() { :; }; source '%s'; COMP_LINE='%s'; COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                .formatted(script, line, line)
            + " COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9;"
            + " $(complete -p holdfast | sed 's/.*-F \\([^ ]*\\).*/\\1/') holdfast; echo \"${COMPREPLY[@]}\"";
    Process bash = new ProcessBuilder("bash", "-c", ask).redirectErrorStream(true).start();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(answer).isZero();
    return answer.strip();
  }

  @Test
  @DisplayName("lets bash complete commands and options")
  void bash(@TempDir Path folder) throws Exception {
    Path script = folder.resolve("holdfast.bash");
    Files.writeString(script, CliOutput.by("completion", "bash").out());

    assertThat(completed(script, "holdfast guar")).isEqualTo("guarantees");
    assertThat(completed(script, "holdfast release --tok")).isEqualTo("--token");
  }

  @Test
  @DisplayName("turns on what zsh needs for it")
  void zsh() {
    CliOutput printed = CliOutput.by("completion", "zsh");

    assertThat(printed.code()).isZero();
    assertThat(printed.out()).contains("bashcompinit", "complete ");
  }
}
