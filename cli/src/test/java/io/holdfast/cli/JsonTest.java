package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("JSON:")
class JsonTest {

  @Test
  @DisplayName("objects keep their order; arrays, numbers, booleans and null are as they are")
  void shapes() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("b", 1);
    value.put("a", List.of(true, 2L, 0.5));
    value.put("n", null);
    value.put("some", Optional.of("x"));
    value.put("none", Optional.empty());
    value.put("empty", Map.of());
    value.put("list", Arrays.asList());
    assertThat(Json.text(value))
        .isEqualTo(
            "{\"b\":1,\"a\":[true,2,0.5],\"n\":null,\"some\":\"x\",\"none\":null,"
                + "\"empty\":{},\"list\":[]}");
  }

  @Test
  @DisplayName("texts are ASCII, as the locale may know no more, and escaped where they must be")
  void escapes() {
    assertThat(Json.text("a\"b\\c\n\r\t\u0001\u007f/ü€😀"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u007f/\\u00fc\\u20ac\\ud83d\\ude00\"");
  }

  @Test
  @DisplayName("unpaired surrogates are escaped like other characters")
  void surrogates() {
    assertThat(Json.text("\ud83d")).isEqualTo("\"\\ud83d\"");
    assertThat(Json.text("x\ude00y")).isEqualTo("\"x\\ude00y\"");
    assertThat(Json.text("\ud83dx")).isEqualTo("\"\\ud83dx\"");
  }

  @Test
  @DisplayName("infinity and NaN are written as text")
  void notNumbers() {
    assertThat(Json.text(List.of(Double.NaN, Double.POSITIVE_INFINITY)))
        .isEqualTo("[\"NaN\",\"Infinity\"]");
  }
}
