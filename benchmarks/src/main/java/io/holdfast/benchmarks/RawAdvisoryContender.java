package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The floor of PostgreSQL's own locks of a session: a connection for every thread, up to 32, kept
 * from the first question until the release. Nothing is written. Who does not get in asks again a
 * little later.
 */
final class RawAdvisoryContender implements Contender {

  private static final String TAKE = "select pg_try_advisory_lock(hashtextextended(?, 0))";
  private static final String DROP = "select pg_advisory_unlock(hashtextextended(?, 0))";

  private final Database database;

  /**
   * A contender over a server that need not be up yet.
   *
   * @throws BadOptionException when it is not PostgreSQL
   */
  RawAdvisoryContender(Database database) {
    if (!database.isPostgres()) {
      throw new BadOptionException(
          "--store must be jdbc:postgresql://… for " + DatabasePeers.RAW_ADVISORY);
    }
    this.database = database;
  }

  @Override
  public String name() {
    return DatabasePeers.RAW_ADVISORY;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) {
    return new Pooled(DatabasePool.large(database));
  }

  private record Pooled(HikariDataSource pool) implements Session {

    @Override
    public Caller caller() {
      return new SessionCaller(pool);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private static final class SessionCaller implements Caller {
    private final HikariDataSource pool;
    private @Nullable Connection own;
    private @Nullable String held;

    SessionCaller(HikariDataSource pool) {
      this.pool = pool;
    }

    @Override
    public long acquire(String name) throws Exception {
      Connection connection = pool.getConnection();
      try {
        Asking.untilYes(() -> ask(connection, TAKE, name));
      } catch (Exception e) {
        connection.close();
        throw e;
      }
      own = connection;
      held = name;
      return NO_TOKEN;
    }

    @Override
    public void release() throws SQLException {
      try (Connection connection = Objects.requireNonNull(own)) {
        if (!ask(connection, DROP, Objects.requireNonNull(held))) {
          throw new IllegalStateException("it had been lost");
        }
      }
    }

    private static boolean ask(Connection connection, String sql, String name) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, name);
        try (ResultSet answer = statement.executeQuery()) {
          return answer.next() && answer.getBoolean(1);
        }
      }
    }
  }
}
