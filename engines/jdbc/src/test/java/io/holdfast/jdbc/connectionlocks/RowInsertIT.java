package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A row that somebody else made and locked while we were about to make it")
@Timeout(120)
class RowInsertIT {

  /** How long the database would wait for a lock. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  @DisplayName("is not waited for on PostgreSQL")
  void onPostgres() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      doesNotWait(
          new PostgreSql(),
          server.jdbcUri(PostgresServer.DATABASE, server.user()),
          "set lock_timeout = " + PATIENCE.toMillis());
    }
  }

  @Test
  @DisplayName("is not waited for on MariaDB")
  void onMariaDb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      doesNotWait(
          MySqlFamily.mariaDb(),
          server.jdbcUri(MariaDbServer.DATABASE, server.user()),
          "set session innodb_lock_wait_timeout = " + PATIENCE.toSeconds());
    }
  }

  @Test
  @DisplayName("is not waited for on H2")
  void onH2() throws Exception {
    doesNotWait(
        new H2(),
        "jdbc:h2:mem:insert;DB_CLOSE_DELAY=-1",
        "set lock_timeout " + PATIENCE.toMillis());
  }

  private static void doesNotWait(Dialect dialect, String url, String patience)
      throws SQLException {
    RowSql sql = new RowSql(dialect, "h_", Duration.ofSeconds(30));
    try (Connection rival = DriverManager.getConnection(url);
        Connection mine = DriverManager.getConnection(url);
        Statement says = rival.createStatement();
        Statement setting = mine.createStatement()) {
      for (String create : sql.tables().values()) {
        says.execute(create);
      }
      setting.execute(patience);
      insert(rival, sql);
      rival.setAutoCommit(false);
      says.execute("select * from h_row where ns = 'a' and name = 'b' for update");

      long start = System.nanoTime();
      try {
        insert(mine, sql);
      } catch (SQLException e) {
        // Either way it is asked for again, or known to be somebody else's.
        assertThat(sql.isLocked(e) || dialect.errorKind(e) == ErrorKind.AGAIN).as("%s", e).isTrue();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.dividedBy(4));
      rival.rollback();
    }
  }

  private static void insert(Connection connection, RowSql sql) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql.insert())) {
      insert.setString(1, "a");
      insert.setString(2, "b");
      insert.executeUpdate();
    }
  }
}
