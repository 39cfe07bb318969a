package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** Connections of the engine's own, made by the driver that knows the address. */
public final class DriverConnector implements Connector {

  /** Longer than an operation: slow on a machine where many programs start at once. */
  private static final Duration CONNECTING = Duration.ofSeconds(10);

  private final String url;
  private final String address;
  private final Dialect dialect;
  private final Properties properties = new Properties();
  private final SecretFilter secrets;

  /**
   * Connections to a database.
   *
   * @param url with secrets
   * @param address the same without
   * @param given properties such as user and password; empty ones are ignored
   */
  public DriverConnector(
      String url, String address, Dialect dialect, Map<String, String> given, Duration timeout) {
    this.url = url;
    this.address = address;
    this.dialect = dialect;
    this.secrets = new SecretFilter(url, given.getOrDefault("password", ""));
    Duration connecting = timeout.compareTo(CONNECTING) > 0 ? timeout : CONNECTING;
    dialect.properties(timeout, connecting).forEach(this::put);
    given.forEach(this::put);
  }

  /** Properties in the address have precedence. */
  private void put(String key, String value) {
    if (!value.isEmpty() && !url.contains("?" + key + "=") && !url.contains("&" + key + "=")) {
      properties.setProperty(key, value);
    }
  }

  @Override
  public Connection connect() throws SQLException, EngineException.Refused {
    requireDriver();
    try {
      return withoutReadLimit(DriverManager.getConnection(url, properties));
    } catch (SQLException e) {
      throw secrets.hide(e);
    }
  }

  /** Removes the limit after the login; later statements have limits of their own. */
  private Connection withoutReadLimit(Connection connection) throws SQLException {
    if (properties.containsKey(Dialect.READ_LIMIT)) {
      try {
        connection.setNetworkTimeout(Runnable::run, 0);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
    return connection;
  }

  /** Checked here, because the driver manager's own error quotes the address with its password. */
  private void requireDriver() throws EngineException.Refused {
    boolean known = DriverManager.drivers().anyMatch(driver -> accepts(driver));
    if (!known) {
      throw new EngineException.Refused(
          "there is no driver that knows "
              + address
              + ": put the JDBC driver of "
              + dialect.product()
              + " on the class path; if it is there, look at the address");
    }
  }

  private boolean accepts(java.sql.Driver driver) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      // It knows the scheme and rejects the rest: it will report that when it connects.
      return true;
    }
  }

  @Override
  public boolean isCallerSupplied() {
    return false;
  }
}
