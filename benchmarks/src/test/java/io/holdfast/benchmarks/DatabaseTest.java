package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://h:1/d, jdbc:postgresql://h:1/d",
    "jdbc:postgresql://h:1/d?user=u&holdfast.create=true, jdbc:postgresql://h:1/d?user=u",
    "jdbc:postgresql://h:1/d?holdfast.mode=row&user=u, jdbc:postgresql://h:1/d?user=u",
    "jdbc:mariadb://h:1/d?holdfast.mode=session, jdbc:mariadb://h:1/d"
  })
  void drivers_get_what_is_theirs(String uri, String url) {
    assertThat(Database.of(uri).url()).isEqualTo(url);
  }

  @Test
  void kinds_are_told_apart() {
    assertThat(Database.of("jdbc:postgresql://h/d").isPostgres()).isTrue();
    assertThat(Database.of("jdbc:mariadb://h/d").isPostgres()).isFalse();
    assertThat(Database.of("jdbc:mariadb://h/d?password=secret").toString())
        .isEqualTo("jdbc:mariadb:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "memory:", "redis://secret", "jdbc:sqlite:secret", "jdbc:h2:secret"})
  void what_is_no_database_server_is_refused_without_quoting_it(String uri) {
    assertThatThrownBy(() -> Database.of(uri))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("jdbc:postgresql:")
        .hasMessageNotContaining("secret");
  }
}
