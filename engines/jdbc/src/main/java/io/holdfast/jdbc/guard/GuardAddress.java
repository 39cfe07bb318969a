package io.holdfast.jdbc.guard;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.connection.DriverConnector;
import io.holdfast.jdbc.connection.JdbcUri;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.GuardUri;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Map;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The address of an engine, as a guard reads it.
 *
 * @param uri the database and the prefix of its tables; other parameters are the engine's
 * @param namespace of the names that are claimed
 */
record GuardAddress(JdbcUri uri, String namespace) {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Ignores the parameters of clients: a client that connects with them reports what is wrong. */
  static GuardAddress parse(String address) {
    GuardUri uri = GuardUri.parse(address, JdbcUri.PARAMETERS);
    return new GuardAddress(JdbcUri.parse(uri.store()), uri.namespace());
  }

  SqlFenceGuard guard() {
    Connector connector =
        new DriverConnector(
            uri.url(), JdbcUri.address(uri.url()), Dialect.of(uri.scheme()), Map.of(), TIMEOUT);
    return SqlFenceGuard.over(new Source(connector))
        .withTable(uri.prefix() + "fence")
        .inNamespace(namespace);
  }

  /** A data source that opens a connection for each request. */
  private record Source(Connector connector) implements DataSource {

    @Override
    public Connection getConnection() throws SQLException {
      try {
        return connector.connect();
      } catch (EngineException.Refused e) {
        throw new LockRefusedException(String.valueOf(e.getMessage()), e);
      }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      throw new SQLFeatureNotSupportedException("the address has the user");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter writer) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException("there is no logger");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("not a " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
