package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceTest {

  private static Resource named(String name) {
    return new Resource("default", name);
  }

  @Test
  void aNameOf512BytesIsTheLongest() {
    assertThat(named("x".repeat(512)).name()).hasSize(512);
    assertThatThrownBy(() -> named("x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes=513");
  }

  @Test
  void lengthIsCountedInBytesOfUtf8() {
    assertThat(named("é".repeat(256)).name()).hasSize(256);
    assertThat(named("€".repeat(170) + "xx").name()).hasSize(172);
    assertThat(named("🔒".repeat(128)).name()).hasSize(256);
    assertThatThrownBy(() -> named("é".repeat(256) + "x")).hasMessageContaining("bytes=513");
    assertThatThrownBy(() -> named("€".repeat(171))).hasMessageContaining("bytes=513");
    assertThatThrownBy(() -> named("🔒".repeat(128) + "x")).hasMessageContaining("bytes=513");
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThatThrownBy(() -> named(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bytes=0");
  }

  @Test
  void aNulIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> named("ab\0c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index=2")
        .hasMessageNotContaining("\0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud83d", "\udd12a", "\ud83da", "\udd12\ud83d"})
  void aLoneSurrogateIsRefused(String name) {
    assertThatThrownBy(() -> named(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lone surrogate");
  }

  @Test
  void nothingIsNormalised() {
    assertThat(named("é")).isNotEqualTo(named("e\u0301"));
    assertThat(named(" a ")).isNotEqualTo(named("a"));
    assertThat(named("A")).isNotEqualTo(named("a"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "default", "team-a.prod_1"})
  void plainNamespacesAreAccepted(String namespace) {
    assertThat(new Resource(namespace, "x").namespace()).isEqualTo(namespace);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "-a", ".a", "a b", "a:b", "a/b", "a\n", "ä"})
  void otherNamespacesAreRefusedByTheRule(String namespace) {
    assertThatThrownBy(() -> new Resource(namespace, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[a-z0-9]");
  }

  @Test
  void aNamespaceHas63CharactersAtMost() {
    assertThat(Resource.requireNamespace("a".repeat(63))).hasSize(63);
    assertThatThrownBy(() -> Resource.requireNamespace("a".repeat(64)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theNamespaceIsShownUnlessItIsTheUsualOne() {
    assertThat(named("orders/42")).hasToString("\"orders/42\"");
    assertThat(new Resource("shop", "orders/42")).hasToString("\"shop:orders/42\"");
  }

  @Test
  void aNameCannotBreakOutOfALogLine() {
    assertThat(named("a\r\nb\"c\\d")).hasToString("\"a\\u000d\\u000ab\\\"c\\\\d\"");
    assertThat(named("a\u202eb\u2028c")).hasToString("\"a\\u202eb\\u2028c\"");
  }

  @Test
  void aLongNameIsCutWhenShown() {
    assertThat(named("🔒".repeat(121))).hasToString("\"" + "🔒".repeat(120) + "…\"");
    assertThat(named("🔒".repeat(120))).hasToString("\"" + "🔒".repeat(120) + "\"");
  }
}
