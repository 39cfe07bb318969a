package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardUriTest {

  @ParameterizedTest
  @CsvSource({
    "etcd://h, etcd://h, default",
    "etcd://h?prefix=a/, etcd://h?prefix=a/, default",
    "etcd://h?holdfast.lease=4s, etcd://h, default",
    "etcd://h?holdfast.namespace=shop, etcd://h, shop",
    "etcd://h?a=1&holdfast.namespace=my%2Dshop&b=2&holdfast.x, etcd://h?a=1&b=2, my-shop",
    "jdbc:h2:m?holdfast.mode=row&holdfast.lanes=2, jdbc:h2:m?holdfast.mode=row, default"
  })
  void the_namespace_is_taken_and_the_clients_parameters_are_left_out(
      String uri, String store, String namespace) {
    assertThat(GuardUri.parse(uri, Set.of("mode"))).isEqualTo(new GuardUri(store, namespace));
  }

  @ParameterizedTest
  @CsvSource({
    "holdfast.namespace=a&holdfast.namespace=b, give each parameter once: holdfast.namespace",
    "holdfast.namespace=%, 'holdfast.namespace must be percent-encoded, a percent sign as %25:"
        + " holdfast.namespace=%'"
  })
  void a_wrong_namespace_is_refused(String query, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardUri.parse("etcd://me:s3cret@h?" + query, Set.of()))
        .withNoCause()
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({"holdfast.namespace=a:b, a:b", "holdfast.namespace=, namespace must match"})
  void a_malformed_namespace_is_refused(String query, String part) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardUri.parse("etcd://h?" + query, Set.of()))
        .withMessageContaining(part);
  }

  @Test
  void a_namespace_without_a_value_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardUri.parse("etcd://h?holdfast.namespace", Set.of()))
        .withMessageContaining("namespace must match");
  }

  @Test
  void to_string_shows_no_secret() {
    assertThat(GuardUri.parse("etcd://me:s3cret@h", Set.of()).toString()).doesNotContain("s3cret");
  }
}
