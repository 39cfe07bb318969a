package io.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store on the command line:")
class StoreArgumentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:s3cret@host",
        "redis://app:pa;(s3cret@host/1",
        "jdbc:postgresql://host/db?user=app&password=s3cret",
        "jdbc:h2:tcp://host/db;USER=app;PASSWORD=s3cret",
        "jdbc:mariadb://address=(host=host)(user=app)(password=s3cret)/db"
      })
  @DisplayName("one with a password is refused and not quoted")
  void password(String uri) {
    assertThatThrownBy(() -> StoreArgument.uri(uri, null))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--store -")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory:",
        "redis://host:1,h2:2/1",
        "jdbc:postgresql://host/db?user=app",
        "jdbc:sqlite:/home/a:b/x@y.db"
      })
  @DisplayName("others are taken")
  void others(String uri) {
    assertThat(StoreArgument.uri(uri, null)).isEqualTo(uri);
  }

  @Test
  @DisplayName("- is the one in the environment, with whatever is in it")
  void environment() {
    assertThat(StoreArgument.uri("-", "redis://:s3cret@host")).isEqualTo("redis://:s3cret@host");
    assertThatThrownBy(() -> StoreArgument.uri("-", null)).hasMessageContaining("HOLDFAST_STORE");
  }
}
