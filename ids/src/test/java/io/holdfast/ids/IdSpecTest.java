package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdSpecTest {

  @ParameterizedTest
  @CsvSource({
    "uuid4, decimal, false",
    "uuid7, decimal, true",
    "timeline:orders, dated, true",
    "timeline:orders, base62, true",
    "segment:events, crockford, false",
    "Counter:a:b, DECIMAL, false"
  })
  void ids_are_asked_for_in_a_word(String text, String form, boolean tellsTime) {
    try (Holdfast holdfast = Holdfast.connect("memory:");
        IdSpec.Texts texts = IdSpec.parse(text, form).open(holdfast)) {
      String one = texts.next();
      assertThat(texts.next()).isNotEqualTo(one);
      assertThat(texts.describe(one).time().isPresent()).isEqualTo(tellsTime);
    }
  }

  @Test
  void what_is_not_understood_is_refused_with_what_is_known() {
    assertThatThrownBy(() -> IdSpec.parse("snowflake:x", "decimal"))
        .hasMessage("unknown ids: snowflake; known are uuid4, uuid7, timeline, segment, counter");
    assertThatThrownBy(() -> IdSpec.parse("timeline:x", "hex")).hasMessageContaining("base62");
    assertThatThrownBy(() -> IdSpec.parse("timeline", "decimal"))
        .hasMessageContaining("a name is missing");
    assertThatThrownBy(() -> IdSpec.parse("uuid4:x", "decimal")).hasMessageContaining("no name");
    assertThatThrownBy(() -> IdSpec.parse("segment:x", "dated")).hasMessageContaining("timeline");
    assertThatThrownBy(() -> IdSpec.parse("segment:x", "decimal").open())
        .hasMessageContaining("needs a store");
  }
}
