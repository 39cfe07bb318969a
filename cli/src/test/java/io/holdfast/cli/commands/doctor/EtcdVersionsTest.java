package io.holdfast.cli.commands.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Versions of etcd that keep their promises")
class EtcdVersionsTest {

  @Test
  @DisplayName("are recognised by their numbers")
  void numbers() {
    assertThat(List.of("3.4.42", "3.5.28", "3.6.9", "3.5.100", "3.7.0", "4.0.0-rc.1"))
        .allMatch(EtcdVersions::isSafe);
    assertThat(List.of("3.4.23", "3.4.41", "3.5.27", "3.6.8", "3.3.99", "2.9.9", "new", ""))
        .noneMatch(EtcdVersions::isSafe);
  }

  @Test
  @DisplayName("are the same in words, and in the page of the engine")
  void words() throws Exception {
    assertThat(List.of(EtcdVersions.SAFE.split(", | or ", -1)))
        .hasSize(3)
        .allMatch(EtcdVersions::isSafe);
    assertThat(Files.readString(Path.of("../docs/engines/etcd.md")))
        .contains("**Use " + EtcdVersions.SAFE + ", or newer.**");
  }
}
