package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.spi.LockEngine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Over the pool that a program has already. */
@Timeout(120)
class DataSourceIT {

  private static final Duration WAIT = Duration.ofSeconds(10);
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HikariDataSource pool(int size, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.jdbcUri(PostgresServer.DATABASE, server.user()));
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(500);
    config.setAutoCommit(autoCommit);
    return new HikariDataSource(config);
  }

  private static Holdfast over(HikariDataSource pool) {
    JdbcOptions options = JdbcOptions.of(server.jdbcUri(PostgresServer.DATABASE));
    return Holdfast.open(
        JdbcEngine.over(pool, options, Engines.settings()), HoldfastOptions.DEFAULTS);
  }

  @Test
  void it_locks_wakes_and_gives_connections_back_as_they_were() throws Exception {
    try (HikariDataSource pool = pool(6, true)) {
      try (Holdfast holdfast = over(pool);
          Holdfast rival = Holdfast.connect(server.jdbcUri("postgres", server.user()))) {
        Hold hold = rival.lock("pooled").acquire(WAIT);
        CompletableFuture<Hold> waits = holdfast.lock("pooled").acquireAsync(WAIT);
        hold.release();
        waits.get().release();
      }
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(shown(statement, "lock_timeout")).isEqualTo("0");
        assertThat(shown(statement, "statement_timeout")).isEqualTo("0");
      }
    }
  }

  @Test
  void the_source_alone_is_enough() throws Exception {
    try (HikariDataSource pool = pool(6, true);
        Holdfast holdfast = Holdfast.open(JdbcEngine.over(pool), HoldfastOptions.DEFAULTS);
        Holdfast rival = Holdfast.connect(server.jdbcUri("postgres", server.user()))) {
      try (Hold hold = holdfast.lock("alone").acquire(WAIT)) {
        hold.ensureHeld();
        assertThat(rival.lock("alone").tryAcquire()).isEmpty();
      }
    }
  }

  @Test
  void it_takes_the_settings_of_the_client_that_is_opened() throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLanes(1);
    try (HikariDataSource pool = pool(6, true);
        Holdfast holdfast = Holdfast.open(settings -> JdbcEngine.over(pool, settings), options)) {
      assertThat(holdfast.lock("settings").acquire(WAIT).release()).isEqualTo(Outcome.RELEASED);
      // One for the lane, one for the reserved one, and one that listens at most.
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void a_source_without_its_database_says_what_to_do() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/nowhere");
    config.setConnectionTimeout(250);
    config.setInitializationFailTimeout(-1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      assertThatThrownBy(() -> JdbcEngine.over(pool))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("pass JdbcOptions with the address");
    }
  }

  private static String shown(Statement statement, String setting) throws Exception {
    try (ResultSet rows = statement.executeQuery("show " + setting)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void a_transaction_of_the_program_is_not_touched() throws Exception {
    try (HikariDataSource pool = pool(6, true);
        Holdfast holdfast = over(pool);
        Connection program = pool.getConnection();
        Statement statement = program.createStatement()) {
      statement.execute("create table if not exists work (n int)");
      program.setAutoCommit(false);
      statement.execute("insert into work values (1)");
      try (Hold hold = holdfast.lock("in a transaction").acquire(WAIT)) {
        program.rollback();
        hold.ensureHeld();
        assertThat(holdfast.lock("in a transaction").tryAcquire()).isEmpty();
      }
      try (ResultSet rows = statement.executeQuery("select count(*) from work")) {
        rows.next();
        assertThat(rows.getInt(1)).isZero();
      }
      program.commit();
      program.setAutoCommit(true);
    }
  }

  @Test
  void a_source_that_is_not_in_autocommit_is_refused() throws Exception {
    try (HikariDataSource pool = pool(6, false);
        Holdfast holdfast = over(pool)) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("autocommit");
    }
  }

  @Test
  void a_source_that_hands_out_one_connection_twice_is_refused() throws Exception {
    try (HikariDataSource pool = pool(6, true);
        Connection bound = pool.getConnection()) {
      JdbcOptions options = JdbcOptions.of(server.jdbcUri(PostgresServer.DATABASE));
      LockEngine engine = JdbcEngine.over(new OneConnection(bound), options, Engines.settings());
      try (Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS)) {
        assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("transaction-aware");
      }
    }
  }

  @Test
  void a_pool_that_is_too_small_is_told_so() throws Exception {
    try (HikariDataSource pool = pool(1, true);
        Connection taken = pool.getConnection();
        Holdfast holdfast = over(pool)) {
      assertThat(taken.isValid(1)).isTrue();
      assertThatThrownBy(() -> holdfast.lock("a").acquire(Duration.ofSeconds(1)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasStackTraceContaining("one to spare for every lane");
    }
  }
}
