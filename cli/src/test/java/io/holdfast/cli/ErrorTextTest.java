package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

@DisplayName("Messages speak as users do:")
class ErrorTextTest {

  private static String ofParser(String... arguments) {
    try {
      Main.wholeTree().parseArgs(arguments);
      throw new AssertionError("understood: " + List.of(arguments));
    } catch (ParameterException e) {
      return ErrorText.of(e);
    }
  }

  @Test
  @DisplayName("bounds of the API read as a range, with times for people")
  void times() {
    try {
      HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(1));
      throw new AssertionError("taken");
    } catch (IllegalArgumentException e) {
      assertThat(ErrorText.of(e)).isEqualTo("lease must be 2 s to 86400 s: lease=1 s");
    }
    assertThat(ErrorText.of(new IllegalArgumentException("every must be >= PT1S: every=PT0.5S")))
        .isEqualTo("every must be at least 1 s: every=500 ms");
    assertThat(
            ErrorText.of(
                new IllegalArgumentException("name must be 1..512 bytes of UTF-8: bytes=0")))
        .isEqualTo("name must be 1 to 512 bytes of UTF-8: bytes=0");
    assertThat(ErrorText.of(new IllegalArgumentException("PT, APT1S, PTS and PT1.2.3S")))
        .isEqualTo("PT, APT1S, PTS and PT1.2.3S");
  }

  @Test
  @DisplayName("texts of others are left as they are")
  void others() {
    assertThat(ErrorText.of(new IllegalStateException("PT1S"))).isEqualTo("PT1S");
    assertThat(ErrorText.of(new IllegalStateException())).contains("IllegalStateException");
  }

  @Test
  @DisplayName("parser messages contain no Java types and no Error prefix")
  void parser() {
    assertThat(ofParser("release", "x", "--token", "abc", "--reason", "y"))
        .endsWith("'abc' is not a whole number");
    assertThat(ofParser("bench", "--threads", "x")).endsWith("'x' is not a whole number");
    assertThat(ofParser("run", "x", "-w", "1s", "-n", "--", "true"))
        .startsWith("--wait=TIME, --no-wait are");
    assertThat(ofParser("ls", "a", "b")).isEqualTo("not understood: 'b'");
  }

  @Test
  @DisplayName("files that cannot be used")
  void files() {
    assertThat(ErrorText.ofFile(new FileAlreadyExistsException("/a/b")))
        .isEqualTo("/a/b exists and is not a directory");
    assertThat(ErrorText.ofFile(new AccessDeniedException("/a/b")))
        .isEqualTo("/a/b is not accessible to this user");
  }
}
