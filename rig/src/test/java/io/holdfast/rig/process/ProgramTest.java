package io.holdfast.rig.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
  @Test
  void finds_a_program_on_the_path() {
    assertThat(Program.of("sh", "dash").find()).isExecutable();
  }

  @Test
  void a_missing_program_names_the_package_to_install() {
    assertThatThrownBy(() -> Program.of("no-such-server", "no-such-package").find())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-server")
        .hasMessageContaining("apt-get install no-such-package");
  }

  @Test
  void takes_the_newest_of_several_versions(@TempDir Path folder) throws IOException {
    for (String version : new String[] {"9", "15", "14"}) {
      Path bin = Files.createDirectories(folder.resolve(version).resolve("bin"));
      assertThat(Files.createFile(bin.resolve("some-server")).toFile().setExecutable(true))
          .isTrue();
    }
    Program program = Program.of("some-server", "some-package").alsoIn(folder + "/*/bin");
    assertThat(program.find()).isEqualTo(folder.resolve("15/bin/some-server"));
  }
}
