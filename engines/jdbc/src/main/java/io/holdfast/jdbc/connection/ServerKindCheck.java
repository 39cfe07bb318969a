package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Refuses a MariaDB server under a MySQL address, and the other way round.
 *
 * <p>The driver of either connects to both, and they keep token counters in different places, so
 * clients that take one server for two kinds would not see each other's tokens.
 */
public final class ServerKindCheck implements Connector {

  private final Connector connector;
  private final MySqlFamily dialect;
  private final String address;

  private ServerKindCheck(Connector connector, MySqlFamily dialect, String address) {
    this.connector = connector;
    this.dialect = dialect;
    this.address = address;
  }

  /**
   * Returns the same connections, checked where the server could be of another kind.
   *
   * @param address without secrets
   */
  public static Connector of(Connector connector, Dialect dialect, String address) {
    return dialect instanceof MySqlFamily family
        ? new ServerKindCheck(connector, family, address)
        : connector;
  }

  @Override
  public Connection connect() throws SQLException, EngineException.Refused {
    Connection fresh = connector.connect();
    boolean maria;
    try {
      // Known since the driver connected: this is no trip. The product's name would not do, as
      // MySQL's driver calls MariaDB "MySQL", and MariaDB's driver can be configured to.
      maria = fresh.getMetaData().getDatabaseProductVersion().contains("MariaDB");
    } catch (SQLException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    if (maria != dialect.isMaria()) {
      fresh.close();
      throw new EngineException.Refused(maria ? isMaria() : isMySql());
    }
    return fresh;
  }

  private String isMaria() {
    return "the server at "
        + address
        + " is MariaDB: "
        + (connector.isCallerSupplied()
            ? "name it by JdbcOptions.of(\"jdbc:mariadb:…\")"
            : "use jdbc:mariadb: in the address, and MariaDB's own driver");
  }

  private String isMySql() {
    return "the server at "
        + address
        + " is MySQL: "
        + (connector.isCallerSupplied()
            ? "name it by JdbcOptions.of(\"jdbc:mysql:…\")"
            : "use jdbc:mysql: in the address, with MySQL's own driver, or with MariaDB's and its"
                + " parameter permitMysqlScheme");
  }

  @Override
  public boolean isCallerSupplied() {
    return connector.isCallerSupplied();
  }
}
