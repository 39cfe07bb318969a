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
class WordingTest {

  private static String ofParser(String... arguments) {
    try {
      Main.wholeTree().parseArgs(arguments);
      throw new AssertionError("understood: " + List.of(arguments));
    } catch (ParameterException e) {
      return Wording.of(e);
    }
  }

  @Test
  @DisplayName("bounds of the API have times as one types them")
  void times() {
    try {
      HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(1));
      throw new AssertionError("taken");
    } catch (IllegalArgumentException e) {
      assertThat(Wording.of(e)).isEqualTo("lease must be 2s to 24h: lease=1s");
    }
    assertThat(Wording.of(new IllegalArgumentException("every must be >= PT1S: every=PT0.5S")))
        .isEqualTo("every must be at least 1s: every=500ms");
    assertThat(Wording.of(new IllegalArgumentException("name must be 1..512 bytes: bytes=0")))
        .isEqualTo("name must be 1 to 512 bytes: bytes=0");
    assertThat(Wording.of(new IllegalArgumentException("PT, APT1S, PTS and PT1.2.3S")))
        .isEqualTo("PT, APT1S, PTS and PT1.2.3S");
  }

  @Test
  @DisplayName("texts of others are left as they are")
  void others() {
    assertThat(Wording.of(new IllegalStateException("PT1S"))).isEqualTo("PT1S");
    assertThat(Wording.of(new IllegalStateException())).contains("IllegalStateException");
  }

  @Test
  @DisplayName("what the parser says has no types of Java in it, and does not call itself an error")
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
    assertThat(Wording.ofFile(new FileAlreadyExistsException("/a/b")))
        .isEqualTo("/a/b is there and is no folder");
    assertThat(Wording.ofFile(new AccessDeniedException("/a/b")))
        .isEqualTo("/a/b may not be used by this user");
  }
}
