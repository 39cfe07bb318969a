package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors name what is really the matter. */
@Timeout(120)
class RealCauseIT {

  private static final Duration WAIT = Duration.ofSeconds(6);

  private static @Nullable MySqlServer mySql;

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    MySqlServer running = mySql;
    if (running != null) {
      running.close();
      mySql = null;
    }
  }

  @Test
  @DisplayName("SQLite without room on its disk: full, and not busy")
  void fullDisk() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    try (Holdfast roomy = Holdfast.connect(url)) {
      roomy.lock("tables").acquire(WAIT).release();
    }
    try (Holdfast tight = Holdfast.connect(url + "?max_page_count=1")) {
      Throwable error =
          catchThrowable(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  tight.lock("name/" + i).acquire(Duration.ofSeconds(2)).close();
                }
              });
      assertThat(error)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("full")
          .hasMessageContaining("make room")
          .hasMessageNotContaining("busy");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 30_000})
  @DisplayName("a pool that has no connection to spare: the pool, not the database")
  void exhaustedPool(int poolTimeout) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.jdbcUri(PostgresServer.DATABASE, server.user());
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      config.setMaximumPoolSize(1);
      config.setConnectionTimeout(poolTimeout);
      try (HikariDataSource pool = new HikariDataSource(config);
          Connection taken = pool.getConnection();
          Holdfast client =
              Holdfast.open(
                  JdbcEngine.over(
                      pool, JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(2))),
                  HoldfastOptions.DEFAULTS)) {
        assertThat(taken.isClosed()).isFalse();
        assertThatThrownBy(() -> client.lock("x").acquire(WAIT))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("the data source gave no connection")
            .hasMessageContaining("to spare");
      }
    }
  }

  @Test
  @DisplayName("MariaDB without rights: which right, to whom, and what to run")
  void withoutRights() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("rights");
      withoutRights(
          server::sql,
          server.jdbcUri("rights", server.user()),
          server.jdbcUri("rights", "poor") + "&password=s3cret");
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  @DisplayName("MySQL without rights: which right, to whom, and what to run")
  void withoutRightsOnMySql() throws Exception {
    MySqlServer server = mySql("rights");
    withoutRights(
        server::sql, server.jdbcUri("rights", server.user()), mySqlUri(server, "rights", "poor"));
  }

  private static void withoutRights(Consumer<String> sql, String rich, String poor)
      throws Exception {
    sql.accept("create user poor@'%' identified by 's3cret'");
    sql.accept("grant usage on *.* to poor@'%'");
    refused(poor, "Access denied", "poor", "rights to select");
    sql.accept("grant select on rights.* to poor@'%'");
    refused(poor, "create table if not exists holdfast_lock", "CREATE command denied", "poor");
    try (Holdfast holdfast = Holdfast.connect(rich)) {
      holdfast.lock("x").acquire(WAIT).release();
    }
    refused(poor, "denied", "poor", "rights to select, insert, update and delete");
  }

  /** Returns the MySQL of all tests here, with a new database. */
  private static MySqlServer mySql(String database) {
    MySqlServer running = mySql;
    if (running == null) {
      running = MySqlServer.start();
      mySql = running;
    }
    running.createDatabase(database);
    return running;
  }

  /** Over a connection without TLS, its driver must be allowed to ask for the server's key. */
  private static String mySqlUri(MySqlServer server, String database, String user) {
    return server.jdbcUri(database, user) + "&password=s3cret&allowPublicKeyRetrieval=true";
  }

  private static void refused(String uri, String... words) {
    try (Holdfast poor = Holdfast.connect(uri)) {
      Throwable error = catchThrowable(() -> poor.lock("x").acquire(WAIT));
      assertThat(error).isInstanceOf(LockRefusedException.class);
      assertThat(error.getMessage()).contains(words).doesNotContain("s3cret");
    }
  }

  @Test
  @DisplayName("MariaDB that has too many connections of a user is asked again, not given up on")
  void userLimit() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("quota");
      userLimit(server::sql, server.jdbcUri("quota", "few") + "&password=s3cret");
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  @DisplayName("MySQL that has too many connections of a user is asked again, not given up on")
  void userLimitOnMySql() throws Exception {
    MySqlServer server = mySql("quota");
    userLimit(server::sql, mySqlUri(server, "quota", "few"));
  }

  private static void userLimit(Consumer<String> sql, String url) throws Exception {
    sql.accept("create user few@'%' identified by 's3cret' with max_user_connections 4");
    sql.accept("grant all on quota.* to few@'%'");
    Connection[] taken = new Connection[4];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = DriverManager.getConnection(url);
    }
    try (Holdfast client = Holdfast.connect(url)) {
      Throwable error = catchThrowable(() -> client.lock("x").acquire(Duration.ofSeconds(2)));
      assertThat(error)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("max_user_connections");
      for (Connection each : taken) {
        each.close();
      }
      client.lock("x").acquire(Duration.ofSeconds(20)).release();
    }
  }

  @Test
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  @DisplayName("MySQL that its operator has taken offline is asked again, not given up on")
  void offline() throws Exception {
    MySqlServer server = mySql("away");
    server.sql("create user plain@'%' identified by 's3cret'");
    server.sql("grant all on away.* to plain@'%'");
    String uri = mySqlUri(server, "away", "plain");
    try (Holdfast before = Holdfast.connect(uri)) {
      before.lock("x").acquire(WAIT).release();
      server.sql("set global offline_mode = 1");
      try (Holdfast late = Holdfast.connect(uri)) {
        offline(before);
        offline(late);
        server.sql("set global offline_mode = 0");
        late.lock("x").acquire(Duration.ofSeconds(20)).release();
      } finally {
        server.sql("set global offline_mode = 0");
      }
      before.lock("x").acquire(Duration.ofSeconds(20)).release();
    }
  }

  private static void offline(Holdfast client) {
    Throwable error = catchThrowable(() -> client.lock("x").acquire(Duration.ofSeconds(2)));
    assertThat(error)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("offline mode");
  }
}
