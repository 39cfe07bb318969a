package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.jdbc.JdbcOptions.Database;
import io.holdfast.jdbc.JdbcOptions.Mode;
import io.holdfast.spi.LockEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an address says, and that its secrets stay in it. */
class JdbcUriTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db:5432/app, POSTGRESQL",
    "jdbc:mariadb://db/app, MARIADB",
    "jdbc:mysql://db/app, MYSQL",
    "jdbc:h2:mem:test, H2",
    "jdbc:h2:./folder/file, H2",
    "jdbc:sqlite:locks.db, SQLITE",
    "JDBC:SQLITE:locks.db, SQLITE"
  })
  void the_database_stands_in_the_address(String url, Database database) {
    JdbcOptions options = JdbcOptions.of(url);
    assertThat(options.database()).isEqualTo(database);
    assertThat(options.url()).isEqualTo(url);
    assertThat(options.mode()).isEqualTo(Mode.TABLE);
    assertThat(options.prefix()).isEqualTo("holdfast_");
    assertThat(options.create()).isTrue();
    assertThat(options.signals()).isTrue();
  }

  @Test
  void parameters_of_ours_are_taken_out_and_those_of_the_driver_stay() {
    JdbcOptions options =
        JdbcOptions.of(
            "jdbc:postgresql://db/app?user=u&holdfast.mode=table&holdfast.table=locks.hf_"
                + "&ssl=true&holdfast.create=false&holdfast.signals=off");
    assertThat(options.url()).isEqualTo("jdbc:postgresql://db/app?user=u&ssl=true");
    assertThat(options.prefix()).isEqualTo("locks.hf_");
    assertThat(options.create()).isFalse();
    assertThat(options.signals()).isFalse();
  }

  @Test
  void parameters_of_ours_may_follow_a_driver_that_has_no_question_mark() {
    JdbcOptions options =
        JdbcOptions.of("jdbc:h2:mem:test;DB_CLOSE_DELAY=-1?holdfast.table=other_");
    assertThat(options.url()).isEqualTo("jdbc:h2:mem:test;DB_CLOSE_DELAY=-1");
    assertThat(options.prefix()).isEqualTo("other_");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:oracle:thin:@db, must begin with jdbc:",
    "jdbc:postgresql://db/app?holdfast.mod=table, unknown parameter: holdfast.mod; available with jdbc",
    "jdbc:postgresql://db/app?holdfast.mode=magic, must be table or session or row: holdfast.mode=magic",
    "jdbc:postgresql://db/app?holdfast.create=maybe, holdfast.create must be true or false",
    "jdbc:postgresql://db/app?holdfast.table=a;drop, table must be a plain name",
    "jdbc:postgresql://db/app?holdfast.table=a&holdfast.table=b, each parameter once",
    "jdbc:postgresql://db/app?holdfast.mode, a parameter must be NAME=VALUE",
    "jdbc:postgresql://db/app?holdfast.rowConnections=x, must be a whole number",
    "jdbc:postgresql://db/app?holdfast.table=%, holdfast.table must be percent-encoded",
    "jdbc:postgresql://db/app?ssl=on&ssl=off, give each parameter once: ssl",
    "jdbc:sqlite::memory:, has a database of its own",
    "jdbc:sqlite:file::memory:?cache=shared, has a database of its own",
    "jdbc:sqlite:file:x?mode=memory&cache=shared, has a database of its own",
    "'jdbc:h2:mem:;MODE=x', has a database of its own"
  })
  void what_is_wrong_is_named_with_its_rule(String url, String words) {
    assertThatThrownBy(() -> JdbcOptions.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/app?user=u&password=s3cret",
        "jdbc:postgresql://u:s3cret@db/app",
        "jdbc:h2:mem:x;USER=u;PASSWORD=s3cret",
        "jdbc:mysql://address=(host=db)(user=u)(password=s3cret)/app",
        "jdbc:mysql://(host=db,password=s3cret,port=1)/app",
        "jdbc:mariadb://db/app?password=s3cret&holdfast.table=hf_"
      })
  void no_password_is_shown(String url) {
    JdbcOptions options = JdbcOptions.of(url);
    assertThat(options.address() + options + options.withLogin("u", "s3cret"))
        .doesNotContain("s3cret");
    try (LockEngine engine = JdbcEngine.open(options, Engines.settings())) {
      assertThat(engine.traits().toString()).doesNotContain("s3cret");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:oracle:thin:u/s3cret@db",
        "jdbc:postgresql://db/app?password=s3cret&holdfast.mode=magic",
        "jdbc:postgresql://db/app?password=s3cret&holdfast.unknown=1",
        "jdbc:sqlite::memory:?password=s3cret"
      })
  void no_complaint_quotes_a_password(String url) {
    assertThatThrownBy(() -> JdbcOptions.of(url)).hasMessageNotContaining("s3cret");
  }

  @Test
  void a_program_states_our_parameters_and_the_runtimes_side_by_side() throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS;
    try (Holdfast holdfast =
        Holdfast.connect(
            "jdbc:h2:mem:beside;DB_CLOSE_DELAY=-1?holdfast.table=b_&holdfast.namespace=shop",
            options)) {
      assertThat(holdfast.options().namespace()).isEqualTo("shop");
      assertThat(holdfast.lock("a").tryAcquire()).isPresent();
    }
    assertThatThrownBy(() -> Holdfast.connect("jdbc:h2:mem:beside?holdfast.nonsense=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holdfast.nonsense");
    assertThatThrownBy(() -> Holdfast.connect("memory:?holdfast.mode=table"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("holdfast.mode");
  }
}
