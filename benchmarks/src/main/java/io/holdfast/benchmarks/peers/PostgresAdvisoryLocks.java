package io.holdfast.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.cli.bench.Contender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The floor of PostgreSQL's session locks.
 *
 * <p>A connection for every thread, up to 32, kept from the first attempt until the release.
 * Nothing is written. Waiters poll.
 */
final class PostgresAdvisoryLocks {

  private static final String TAKE = "select pg_try_advisory_lock(hashtextextended(?, 0))";
  private static final String DROP = "select pg_advisory_unlock(hashtextextended(?, 0))";

  private record Held(Connection connection, String name) {}

  private PostgresAdvisoryLocks() {}

  static Contender.Session open(Peer.Target target) {
    HikariDataSource pool = DatabasePool.large(PeerAddresses.database(target.store()));
    return new PeerSession(
        () -> new PeerCaller<>(name -> take(pool, name), PostgresAdvisoryLocks::giveBack), pool);
  }

  private static Held take(HikariDataSource pool, String name) throws Exception {
    Connection connection = pool.getConnection();
    try {
      PollingWait.until(() -> query(connection, TAKE, name));
    } catch (Exception e) {
      connection.close();
      throw e;
    }
    return new Held(connection, name);
  }

  private static void giveBack(Held held) throws SQLException {
    try (Connection connection = held.connection()) {
      PeerCaller.requireHeld(query(connection, DROP, held.name()));
    }
  }

  private static boolean query(Connection connection, String sql, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
