package io.holdfast.jdbc;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.OwnConnector;
import io.holdfast.spi.EngineException;
import java.io.PrintWriter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The address of an engine, as a guard reads it.
 *
 * @param options what the engine of this module reads from it
 * @param namespace of the names that are claimed
 */
record GuardAddress(JdbcOptions options, String namespace) {

  private static final String OURS = "holdfast.";
  private static final String NAMESPACE = "holdfast.namespace=";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Leaves out what is the client's: whoever connects with it is told if it is wrong. */
  static GuardAddress parse(String address) {
    int query = address.indexOf('?');
    if (query < 0) {
      return new GuardAddress(JdbcOptions.of(address), "default");
    }
    String namespace = "default";
    List<String> kept = new ArrayList<>();
    for (String parameter : address.substring(query + 1).split("&", -1)) {
      String key = parameter.replaceFirst("=.*", "");
      if (!key.startsWith(OURS) || JdbcUri.PARAMETERS.contains(key.substring(OURS.length()))) {
        kept.add(parameter);
      } else if (parameter.startsWith(NAMESPACE)) {
        String value = parameter.substring(NAMESPACE.length());
        namespace = URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
      }
    }
    String rest = kept.isEmpty() ? "" : "?" + String.join("&", kept);
    return new GuardAddress(JdbcOptions.of(address.substring(0, query) + rest), namespace);
  }

  SqlFenceGuard guard() {
    Connector connector =
        new OwnConnector(
            options.url(),
            options.address(),
            JdbcEngine.dialect(options.database()),
            Map.of("user", options.user(), "password", options.password()),
            TIMEOUT);
    return SqlFenceGuard.over(new Source(connector))
        .withTable(options.prefix() + "fence")
        .inNamespace(namespace);
  }

  /** Connections that are opened when they are asked for. */
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
