package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.LockName;
import org.junit.jupiter.api.Test;

/** Names from templates: the template is the tag, the name never is. */
class NameTest {

  @Test
  void aPlainNameHasNoTagOfItsOwn() {
    assertThat(LockName.plain("orders/42")).isEqualTo(LockName.tagged("orders/42", "untagged"));
    assertThat(LockName.plain("{}")).isEqualTo(LockName.tagged("{}", "untagged"));
  }

  @Test
  void everySlotIsFilledInOrderAndOnce() {
    assertThat(LockName.filled("orders/{}", 42))
        .isEqualTo(LockName.tagged("orders/42", "orders/{}"));
    assertThat(LockName.filled("{}{}-{}", "a", "b", 3L))
        .isEqualTo(LockName.tagged("ab-3", "{}{}-{}"));
    assertThat(LockName.filled("{}", "{}").text()).isEqualTo("{}");
    assertThat(LockName.filled("{}/{}", "{}", "x").text()).isEqualTo("{}/x");
    assertThat(LockName.filled("a{b}{}", 1).text()).isEqualTo("a{b}1");
  }

  @Test
  void slotsAndArgumentsMustBeOfOneNumber() {
    assertThatThrownBy(() -> LockName.filled("orders", 42))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("template must have one {} for each argument: template=orders arguments=1");
    assertThatThrownBy(() -> LockName.filled("{}/{}", 1)).hasMessageContaining("arguments=1");
    assertThatThrownBy(() -> LockName.filled("{}", 1, 2)).hasMessageContaining("arguments=2");
    assertThatThrownBy(() -> LockName.filled("{}/{}/{}", 1, 2)).hasMessageContaining("arguments=2");
  }
}
