package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The drivers of MariaDB and MySQL talk to either server, and the two take their tokens from
 * different places: clients that differ in what they take the server for would not see each
 * other's.
 */
@Timeout(120)
@DisplayName("an address with the scheme of the other of MariaDB and MySQL")
class WrongSchemeIT {

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Counter.Ask ASK =
      new Counter.Ask(new Resource("default", "ids"), 10, 1, false);

  /** Refused before anything is made there, with the scheme to use. */
  private static void refused(String uri, String word) {
    try (Holdfast holdfast = Holdfast.connect(uri + "&password=s3cret")) {
      assertThatThrownBy(() -> holdfast.lock("x").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining(word)
          .hasMessageNotContaining("s3cret");
    }
    try (LockEngine engine = Engines.open(uri + "&password=s3cret")) {
      assertThatThrownBy(() -> engine.counter().orElseThrow().take(ASK))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining(word);
    }
  }

  @Nested
  @DisplayName("jdbc:mysql: at MariaDB")
  class AtMariaDb {

    private static MariaDbServer server;

    @BeforeAll
    static void start() {
      server = MariaDbServer.start();
      server.createDatabase("app");
      server.createUser("locks", "s3cret", "app");
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    /** By either driver: MariaDB's knows this scheme if it is told to. */
    @ParameterizedTest
    @ValueSource(strings = {"table", "session", "row"})
    @DisplayName("is refused, with the scheme to use, and nothing is made there")
    void refusedThere(String mode) {
      String address = "jdbc:mysql://127.0.0.1:" + server.port() + "/app?user=locks";
      for (String driver : new String[] {"", "&permitMysqlScheme"}) {
        refused(address + driver + "&holdfast.mode=" + mode, "use jdbc:mariadb:");
      }
      assertThat(server.sql("app", "show tables")).isEmpty();
    }

    @Test
    @DisplayName("is refused for connections of a source, too")
    void source() {
      JdbcOptions options = JdbcOptions.of("jdbc:mysql://127.0.0.1:" + server.port() + "/app");
      try (LockEngine engine =
          JdbcEngine.over(
              Sources.mariaDb(server.jdbcUri("app", server.user())), options, Engines.settings())) {
        assertThatThrownBy(() -> engine.counter().orElseThrow().take(ASK))
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining("JdbcOptions.of(\"jdbc:mariadb:");
      }
    }
  }

  @Nested
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  @DisplayName("jdbc:mariadb: at MySQL")
  class AtMySql {

    private static MySqlServer server;

    @BeforeAll
    static void start() {
      server = MySqlServer.start();
      server.createDatabase("app");
      server.createDatabase("theirs");
      server.createUser("locks", "s3cret", "app");
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "session", "row"})
    @DisplayName("is refused, with the scheme to use, and nothing is made there")
    void refusedThere(String mode) {
      // Without TLS the server would have to be asked for its key first.
      String address =
          "jdbc:mariadb://127.0.0.1:%d/app?user=locks&allowPublicKeyRetrieval=true"
              .formatted(server.port());
      refused(address + "&holdfast.mode=" + mode, "use jdbc:mysql:");
      assertThat(server.sql("app", "show tables")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "session", "row"})
    @DisplayName("MariaDB's driver will do, by the parameter that the refusal names")
    void mariaDbsDriver(String mode) throws Exception {
      String address =
          "jdbc:mysql://127.0.0.1:%d/theirs?user=%s&permitMysqlScheme&holdfast.mode=%s"
              .formatted(server.port(), server.user(), mode);
      try (LockEngine engine =
              JdbcEngine.over(
                  Sources.mariaDb(JdbcOptions.of(address).url()),
                  JdbcOptions.of(address),
                  Engines.settings());
          Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS)) {
        holdfast.lock("x").acquire(WAIT).release();
        assertThat(engine.counter().orElseThrow().take(ASK)).isPositive();
      }
    }
  }
}
