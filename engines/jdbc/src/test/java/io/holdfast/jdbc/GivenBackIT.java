package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of a pool that has settings of its own: it gets them back with these. */
@Timeout(120)
class GivenBackIT {

  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final int SIZE = 6;

  @ParameterizedTest
  @ValueSource(strings = {"table", "session", "row"})
  void on_postgresql(String mode) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      givenBack(
          server.jdbcUri(PostgresServer.DATABASE, server.user()),
          "&holdfast.rowConnections=2&holdfast.mode=" + mode,
          "set lock_timeout = '7s'; set statement_timeout = '8s'; set jit = on;"
              + " set synchronous_commit = local; set idle_session_timeout = '9min';"
              + " set tcp_user_timeout = 60000",
          List.of(
              "show lock_timeout",
              "show statement_timeout",
              "show jit",
              "show plan_cache_mode",
              "show synchronous_commit",
              "show idle_session_timeout",
              "show transaction_isolation"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "session", "row"})
  void on_mariadb(String mode) throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      givenBack(
          server.jdbcUri(MariaDbServer.DATABASE, server.user()),
          "&holdfast.rowConnections=2&holdfast.mode=" + mode,
          "set session innodb_lock_wait_timeout = 7, session max_statement_time = 8.5,"
              + " session wait_timeout = 900, session idle_transaction_timeout = 800",
          List.of(
              "select @@session.innodb_lock_wait_timeout",
              "select @@session.max_statement_time",
              "select @@session.wait_timeout",
              "select @@session.idle_transaction_timeout",
              "select @@session.tx_isolation"));
    }
  }

  @Test
  void on_h2() throws Exception {
    givenBack(
        "jdbc:h2:mem:back;DB_CLOSE_DELAY=-1",
        "?holdfast.mode=table",
        "set lock_timeout 7000; set query_timeout 8000",
        List.of(
            "select lock_timeout()",
            "select setting_value from information_schema.settings"
                + " where setting_name = 'QUERY_TIMEOUT'"));
  }

  private static void givenBack(String url, String ours, String first, List<String> questions)
      throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(SIZE);
    config.setConnectionInitSql(first);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      List<List<String>> before = answers(pool, questions);
      JdbcOptions options = JdbcOptions.of(url + ours);
      try (Holdfast holdfast =
          Holdfast.open(
              JdbcEngine.over(pool, options, Engines.settings()), HoldfastOptions.DEFAULTS)) {
        try (Hold hold = holdfast.lock("a").acquire(WAIT)) {
          hold.ensureHeld();
        }
      }
      assertThat(answers(pool, questions)).isEqualTo(before);
    }
  }

  /** What each connection of the pool says. */
  private static List<List<String>> answers(HikariDataSource pool, List<String> questions)
      throws SQLException {
    List<List<String>> all = new ArrayList<>();
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < SIZE; i++) {
        Connection connection = pool.getConnection();
        open.add(connection);
        all.add(answers(connection, questions));
      }
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
    return all;
  }

  private static List<String> answers(Connection connection, List<String> questions)
      throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (String question : questions) {
        try (ResultSet rows = statement.executeQuery(question)) {
          rows.next();
          answers.add(rows.getString(1));
        }
      }
    }
    return answers;
  }
}
