package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h:1/d, jdbc:postgresql://h:1/d",
    "jdbc:postgresql://h:1/d?user=u&holdfast.create=true, jdbc:postgresql://h:1/d?user=u",
    "jdbc:postgresql://h:1/d?holdfast.mode=row&user=u, jdbc:postgresql://h:1/d?user=u",
    "jdbc:mariadb://h:1/d?holdfast.mode=session, jdbc:mariadb://h:1/d"
  })
  void drivers_get_what_is_theirs(String uri, String url) {
    assertThat(DatabaseAddress.of(uri).orElseThrow().url()).isEqualTo(url);
  }

  @Test
  void kinds_are_told_apart() {
    assertThat(DatabaseAddress.of("jdbc:postgresql://h/d").orElseThrow().isPostgres()).isTrue();
    assertThat(DatabaseAddress.of("jdbc:mariadb://h/d").orElseThrow().isPostgres()).isFalse();
    assertThat(DatabaseAddress.of("jdbc:mariadb://h/d?password=secret").orElseThrow().toString())
        .isEqualTo("jdbc:mariadb:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "memory:", "redis://secret", "jdbc:sqlite:secret", "jdbc:h2:secret"})
  void what_is_no_database_server_has_no_address(String uri) {
    assertThat(DatabaseAddress.of(uri)).isEmpty();
  }
}
