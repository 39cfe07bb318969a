package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@DisplayName("Arguments in the encoding of the locale:")
class ArgumentEncodingTest {

  @TempDir Path folder;

  @Test
  @DisplayName("an unreadable argument is refused by its number")
  void mangled() {
    ArgumentEncoding.require(List.of("run", "caf\u00e9", "--", "true"));
    assertThatThrownBy(() -> ArgumentEncoding.require(List.of("run", "caf\ufffd")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("argument 2")
        .hasMessageContaining("LC_ALL=C.UTF-8")
        .hasMessageNotContaining("caf");
  }

  @Test
  @DisplayName("the program refuses it in an ASCII locale, and runs in a UTF-8 locale")
  void program() throws Exception {
    // By a shell, as this JVM may have such a locale itself.
    Path script = folder.resolve("hf");
    Files.writeString(
        script,
        String.join(" ", CliProcess.java())
            + " run x -- printf %s \"$(printf 'caf\\303\\251')\" >told 2>&1");
    assertThat(run(script, "C")).isEqualTo(ExitCode.USAGE);
    assertThat(CliProcess.read(folder.resolve("told"))).contains("argument 6", "LC_ALL=C.UTF-8");
    assertThat(run(script, "C.UTF-8")).isZero();
    assertThat(CliProcess.read(folder.resolve("told"))).isEqualTo("caf\u00e9");
  }

  @Test
  @DisplayName("so is an address or a password in the environment, by the variable's name")
  void environment() throws Exception {
    for (String name : List.of("HOLDFAST_STORE", "HOLDFAST_PASSWORD")) {
      Path script = folder.resolve("hf");
      String given = name.equals("HOLDFAST_STORE") ? "" : "HOLDFAST_STORE=redis://127.0.0.1:1 ";
      Files.writeString(
          script,
          given
              + name
              + "=\"$(printf 'redis://caf\\303\\251')\" "
              + String.join(" ", CliProcess.java())
              + " run x -n -- true >told 2>&1");
      assertThat(run(script, "C")).as(name).isEqualTo(ExitCode.USAGE);
      assertThat(CliProcess.read(folder.resolve("told")))
          .contains(name + " has characters", "LC_ALL=C.UTF-8")
          .doesNotContain("caf");
    }
  }

  private int run(Path script, String locale) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString());
    builder.directory(folder.toFile());
    builder.environment().put("LC_ALL", locale);
    builder.environment().put("XDG_STATE_HOME", folder.toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.toString());
    builder.environment().remove("HOLDFAST_STORE");
    return builder.start().waitFor();
  }
}
