package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An id that is decoded")
class DecodedIdTest {

  @Test
  @DisplayName("is the same in every form, which is detected")
  void forms() {
    for (String text :
        new String[] {
          "247700900708261895", "20261115-5CSCJM5807", "06W02N0JM5807", "0IITJGJXoFr"
        }) {
      DecodedId decoded = DecodedId.of(text, null);

      assertThat(decoded.number()).as(text).isEqualTo("247700900708261895");
      assertThat(decoded.lines())
          .as(text)
          .contains("time      2026-11-15T12:34:56.789Z", "worker    42");
    }
  }

  @Test
  @DisplayName("shows the time of a UUID that contains one")
  void uuids() {
    DecodedId decoded = DecodedId.of("0199f3c2-7f00-7abc-8def-0123456789ab", null);

    assertThat(decoded.json()).containsEntry("kind", "uuid7");
    assertThat(decoded.facts().time()).isPresent();
    assertThat(DecodedId.of("5ad5c1a3-2f6e-4a7e-9a77-0c2f1fb6c9b1", null).kind())
        .isEqualTo("uuid4");
  }

  @Test
  @DisplayName("has its kind and form as words for programs, and the doubt apart from them")
  void words() {
    DecodedId decoded = DecodedId.of("20261115-5CSCJM5807", null);

    assertThat(decoded.json())
        .containsEntry("kind", "timeline")
        .containsEntry("form", "dated")
        .containsEntry("note", "a segment or counter just counts");
    assertThat(decoded.lines())
        .contains("kind      timeline, dated (a segment or counter just counts)");
  }

  @Test
  @DisplayName("must be one")
  void nonsense() {
    assertThatThrownBy(() -> DecodedId.of("hello", null)).isInstanceOf(CliException.class);
    assertThatThrownBy(() -> DecodedId.of("12", "roman")).hasMessageContaining("crockford");
    assertThatThrownBy(() -> DecodedId.of("0199f3c2-7f00-1abc-8def-0123456789ab", null))
        .hasMessageContaining("version 1");
  }
}
