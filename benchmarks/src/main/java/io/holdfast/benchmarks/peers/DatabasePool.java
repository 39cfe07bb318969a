package io.holdfast.benchmarks.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.cli.bench.DatabaseAddress;
import io.holdfast.rig.time.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** HikariCP pools of connections, as programs have them. */
final class DatabasePool {

  /** HikariCP's own default, which few programs change. */
  private static final int DEFAULT_SIZE = 10;

  /** For the floors: what a database of this size still takes well. */
  private static final int LARGE_SIZE = 32;

  private static final Duration FILLED = Duration.ofSeconds(20);
  private static final int ATTEMPTS = 5;

  private DatabasePool() {}

  /**
   * A pool with the defaults; returns when it is full, because connections that come up in another
   * contender's turn would be counted as the other's.
   */
  static HikariDataSource defaults(DatabaseAddress database) {
    HikariConfig config = config(database);
    config.setMaximumPoolSize(DEFAULT_SIZE);
    HikariDataSource pool = new HikariDataSource(config);
    try {
      Await.until(
          "a full pool at " + database,
          FILLED,
          () -> pool.getHikariPoolMXBean().getTotalConnections() >= DEFAULT_SIZE);
      return pool;
    } catch (RuntimeException | AssertionError e) {
      pool.close();
      throw e;
    }
  }

  /** A pool that has a connection for each thread that asks at once, up to 32. */
  static HikariDataSource large(DatabaseAddress database) {
    HikariConfig config = config(database);
    config.setMaximumPoolSize(LARGE_SIZE);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private static HikariConfig config(DatabaseAddress database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    return config;
  }

  /**
   * Makes a table that may be there already.
   *
   * @param statement a {@code create table if not exists}
   */
  static void create(HikariDataSource pool, String statement) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = pool.getConnection();
          Statement sql = connection.createStatement()) {
        sql.execute(statement);
        return;
      } catch (SQLException e) {
        // PostgreSQL fails if another process makes it just now; then it is there next time.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
