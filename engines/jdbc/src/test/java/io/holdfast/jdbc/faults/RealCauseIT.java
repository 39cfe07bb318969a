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
import io.holdfast.rig.MariaDbServer;
import io.holdfast.rig.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors name what is really the matter. */
@Timeout(120)
class RealCauseIT {

  private static final Duration WAIT = Duration.ofSeconds(6);

  @TempDir Path folder;

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
      server.createDatabase("app");
      server.sql("create user poor@'%' identified by 's3cret'");
      server.sql("grant usage on *.* to poor@'%'");
      String uri = server.jdbcUri("app", "poor") + "&password=s3cret";
      refused(uri, "Access denied", "poor", "rights to select");
      server.sql("grant select on app.* to poor@'%'");
      refused(uri, "create table if not exists holdfast_lock", "CREATE command denied", "poor");
      try (Holdfast rich = Holdfast.connect(server.jdbcUri("app", server.user()))) {
        rich.lock("x").acquire(WAIT).release();
      }
      refused(uri, "denied", "poor", "rights to select, insert, update and delete");
    }
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
      server.createDatabase("app");
      server.sql("create user few@'%' identified by 's3cret' with max_user_connections 4");
      server.sql("grant all on app.* to few@'%'");
      String url = server.jdbcUri("app", "few") + "&password=s3cret";
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
  }
}
