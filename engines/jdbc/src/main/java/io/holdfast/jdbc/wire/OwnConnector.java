package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/** Connections of our own, made by whichever driver knows the address. */
public final class OwnConnector implements Connector {

  /** Longer than an operation: a machine on which many programs start at once is slow at it. */
  private static final Duration CONNECTING = Duration.ofSeconds(10);

  private final String url;
  private final String address;
  private final Dialect dialect;
  private final Properties properties = new Properties();
  private final Secrets secrets;

  /**
   * Connections to a database.
   *
   * @param url with secrets
   * @param address the same without
   * @param given properties such as user and password; empty ones are left out
   */
  public OwnConnector(
      String url, String address, Dialect dialect, Map<String, String> given, Duration timeout) {
    this.url = url;
    this.address = address;
    this.dialect = dialect;
    this.secrets = new Secrets(url, given.getOrDefault("password", ""));
    Duration connecting = timeout.compareTo(CONNECTING) > 0 ? timeout : CONNECTING;
    dialect.properties(timeout, connecting).forEach(this::put);
    given.forEach(this::put);
  }

  /** What the address says itself goes first. */
  private void put(String key, String value) {
    if (!value.isEmpty() && !url.contains("?" + key + "=") && !url.contains("&" + key + "=")) {
      properties.setProperty(key, value);
    }
  }

  @Override
  public Connection connect() throws SQLException, EngineException.Refused {
    requireDriver();
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      throw secrets.hide(e);
    }
  }

  /** Asked for here, as the manager's own complaint quotes the address with its password. */
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
      // It knows the scheme and does not like the rest: it will say so when it connects.
      return true;
    }
  }

  @Override
  public boolean lends() {
    return false;
  }
}
