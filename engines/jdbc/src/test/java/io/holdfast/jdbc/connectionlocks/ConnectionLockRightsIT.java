package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights that the docs name are enough. */
@Timeout(120)
class ConnectionLockRightsIT {

  private static final Duration WAIT = Duration.ofSeconds(10);

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  void on_postgresql(String mode) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      create(server.jdbcUri(PostgresServer.DATABASE, server.user()), mode);
      server.createUser("plain", "word");
      server.sql("grant select, insert, update on holdfast_meta to plain");
      server.sql("grant usage, update on sequence holdfast_token to plain");
      if (mode.equals("row")) {
        server.sql("grant select, insert, update, delete on holdfast_row, holdfast_want to plain");
      }
      use(server.jdbcUri(PostgresServer.DATABASE, "plain"), mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  void on_mariadb(String mode) throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      create(server.jdbcUri("app", server.user()), mode);
      grant(server::sql, mode, "select, insert");
      use(server.jdbcUri("app", "plain"), mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  void on_mysql(String mode) throws Exception {
    try (MySqlServer server = MySqlServer.start()) {
      server.createDatabase("app");
      create(server.jdbcUri("app", server.user()), mode);
      grant(server::sql, mode, "select, update");
      use(server.jdbcUri("app", "plain") + "&allowPublicKeyRetrieval=true", mode);
    }
  }

  /** The counter of tokens is a sequence of MariaDB, and a table of MySQL. */
  private static void grant(Consumer<String> sql, String mode, String counter) {
    sql.accept("create user 'plain'@'%' identified by 'word'");
    sql.accept("grant select, insert, update on app.holdfast_meta to 'plain'@'%'");
    sql.accept("grant " + counter + " on app.holdfast_token to 'plain'@'%'");
    if (mode.equals("row")) {
      for (String table : new String[] {"row", "want"}) {
        sql.accept(
            "grant select, insert, update, delete on app.holdfast_" + table + " to 'plain'@'%'");
      }
    }
  }

  private static void create(String uri, String mode) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(uri + "&holdfast.mode=" + mode)) {
      holdfast.lock("x").acquire(WAIT).release();
    }
  }

  private static void use(String uri, String mode) throws Exception {
    String address = uri + "&password=word&holdfast.create=false&holdfast.mode=" + mode;
    try (Holdfast mine = Holdfast.connect(address);
        Holdfast theirs = Holdfast.connect(address + "&holdfast.generation=2")) {
      Hold hold = mine.lock("x").acquire(WAIT);
      assertThat(theirs.lock("x").tryAcquire(Duration.ofSeconds(2))).isEmpty();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      Hold next = theirs.lock("x").acquire(WAIT);
      assertThat(next.token()).isGreaterThan(hold.token());
      next.release();
    }
  }
}
