package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pattern of names")
class NamePatternTest {

  @Test
  @DisplayName("without wildcards is the beginning of names")
  void beginning() {
    NamePattern pattern = NamePattern.of("orders/");

    assertThat(pattern.prefix()).isEqualTo("orders/");
    assertThat(pattern.matches("orders/42")).isTrue();
    assertThat(pattern.matches("my/orders/42")).isFalse();
    assertThat(NamePattern.of("").matches("anything\nat all")).isTrue();
  }

  @Test
  @DisplayName("with wildcards is the whole name, and what is before them need not be searched")
  void wildcards() {
    NamePattern pattern = NamePattern.of("orders/*/ex?ort");

    assertThat(pattern.prefix()).isEqualTo("orders/");
    assertThat(pattern.matches("orders/42/export")).isTrue();
    assertThat(pattern.matches("orders/42/export/2")).isFalse();
    assertThat(NamePattern.of("a.c*").matches("abc")).isFalse();
    assertThat(NamePattern.of("*").prefix()).isEmpty();
  }

  @Test
  @DisplayName("knows characters that are two chars in Java")
  void supplementary() {
    NamePattern pattern = NamePattern.of("*/\ud83d\ude80/?");

    assertThat(pattern.matches("a/\ud83d\ude80/\ud83d\ude81")).isTrue();
    assertThat(pattern.matches("a/\ud83d\ude81/b")).isFalse();
  }
}
