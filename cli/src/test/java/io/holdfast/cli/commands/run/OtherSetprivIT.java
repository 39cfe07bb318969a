package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As on systems with BusyBox, or with a util-linux before 2.33. */
@Timeout(120)
@DisplayName("Where setpriv does not know --pdeathsig:")
class OtherSetprivIT {

  private static final String OTHER =
      """
      #!/bin/sh
      echo "setpriv: unrecognized option '$1'" >&2
      exit 1
      """;

  @TempDir Path folder;

  @BeforeEach
  void install() throws IOException {
    Path program = Files.createDirectory(folder.resolve("bin")).resolve("setpriv");
    Files.writeString(program, OTHER);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private CliProcess.Setup setup() {
    return CliProcess.Setup.in(folder)
        .with("PATH", folder.resolve("bin") + ":" + System.getenv().getOrDefault("PATH", "/bin"));
  }

  @Test
  @DisplayName("the command runs all the same, and nothing is said of it")
  void runs() {
    CliProcess run = setup().run("run", "job", "--", "sh", "-c", "echo ran; exit 7");
    assertThat(run.awaitExit()).as(run.err()).isEqualTo(7);
    assertThat(run.out()).isEqualTo("ran\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  @DisplayName("kill -9 of the program takes the command along, by its guard")
  void killed() {
    Path pid = folder.resolve("pid");
    try (CliProcess run =
        setup().start("run", "job", "--", "sh", "-c", "echo $$ >" + pid + "; sleep 60")) {
      long command = Long.parseLong(run.awaitLineIn(pid));
      run.kill9();
      Await.until(
          "the end of " + command,
          CliProcess.LONG,
          () ->
              ProcessHandle.of(command).stream()
                  .noneMatch(each -> each.isAlive() && !ProcFiles.isZombie(command)));
    }
  }

  @Test
  @DisplayName("the doctor reports it and suggests a fix")
  void doctor() {
    CliProcess doctor = setup().run("doctor");
    assertThat(doctor.out()).contains("warn  setpriv: does not know --pdeathsig", "util-linux");
    assertThat(doctor.awaitExit()).isEqualTo(1);
  }
}
