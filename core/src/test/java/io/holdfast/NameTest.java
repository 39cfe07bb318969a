package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Names from templates: the template is the tag, the name never is. */
class NameTest {

  @Test
  void aPlainNameHasNoTagOfItsOwn() {
    assertThat(Name.plain("orders/42")).isEqualTo(new Name("orders/42", "untagged"));
    assertThat(Name.plain("{}")).isEqualTo(new Name("{}", "untagged"));
  }

  @Test
  void everySlotIsFilledInOrderAndOnce() {
    assertThat(Name.filled("orders/{}", 42)).isEqualTo(new Name("orders/42", "orders/{}"));
    assertThat(Name.filled("{}{}-{}", "a", "b", 3L)).isEqualTo(new Name("ab-3", "{}{}-{}"));
    assertThat(Name.filled("{}", "{}").text()).isEqualTo("{}");
    assertThat(Name.filled("{}/{}", "{}", "x").text()).isEqualTo("{}/x");
    assertThat(Name.filled("a{b}{}", 1).text()).isEqualTo("a{b}1");
  }

  @Test
  void slotsAndArgumentsMustBeOfOneNumber() {
    assertThatThrownBy(() -> Name.filled("orders", 42))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("template must have one {} for each argument: template=orders arguments=1");
    assertThatThrownBy(() -> Name.filled("{}/{}", 1)).hasMessageContaining("arguments=1");
    assertThatThrownBy(() -> Name.filled("{}", 1, 2)).hasMessageContaining("arguments=2");
    assertThatThrownBy(() -> Name.filled("{}/{}/{}", 1, 2)).hasMessageContaining("arguments=2");
  }
}
