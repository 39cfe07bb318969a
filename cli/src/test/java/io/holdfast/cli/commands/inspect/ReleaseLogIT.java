package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@DisplayName("The record of releases:")
class ReleaseLogIT {

  @TempDir Path folder;

  @Test
  @DisplayName("where it cannot be written, nothing is released")
  void unwritable() throws Exception {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    Path file = folder.resolve("token");
    String script = "echo $HOLDFAST_TOKEN >" + file + "; sleep 600";
    try (CliProcess holder = setup.start("run", "job", "--", "sh", "-c", script)) {
      String token = holder.awaitLineIn(file);
      Files.createDirectory(folder.resolve("state/holdfast/releases.log"));

      CliProcess refused = setup.run("release", "job", "--token", token, "--reason", "stuck");

      assertThat(refused.awaitExit()).as(refused.out()).isEqualTo(ExitCode.REFUSED);
      assertThat(refused.err()).contains("releases.log", "nothing was changed");
      assertThat(refused.out()).isEmpty();
      assertThat(setup.run("show", "job", "--json").out()).contains(token).doesNotContain("revoke");
    }
  }
}
