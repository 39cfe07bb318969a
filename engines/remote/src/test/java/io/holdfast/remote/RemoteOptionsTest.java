package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteOptionsTest {

  @ParameterizedTest
  @CsvSource({
    "http://locks, http://locks:7420",
    "http://locks/, http://locks:7420",
    "HTTPS://locks, https://locks:7420",
    "'http://h1:1,h2', 'http://h1:1,h2:7420'",
    "http://[::1], http://[::1]:7420"
  })
  void addresses(String text, String shown) {
    assertThat(RemoteOptions.of(text).address()).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "http://user:pencil@locks, has no user or password",
    "http://:pencil@locks, has no user or password",
    "http://locks/v1, path must be empty",
    "http://locks?token=pencil, token",
    "http://locks?trustStore=pencil, trustStore",
    "redis://locks, http:// or https://"
  })
  void whatIsWrongIsNamedWithoutSecrets(String text, String message) {
    assertThatThrownBy(() -> RemoteOptions.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("pencil");
  }

  @Test
  void passwordsAreNotShown() {
    assertThat(
            RemoteOptions.of("https://locks?trustStore=/etc/trust&trustStorePassword=pencil")
                .toString())
        .contains("https://locks:7420", "/etc/trust")
        .doesNotContain("pencil");
  }
}
