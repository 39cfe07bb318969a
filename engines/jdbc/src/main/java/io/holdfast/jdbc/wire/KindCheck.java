package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Connections to the kind of database that the address names. MariaDB and MySQL are told apart, as
 * the driver of either connects to both: they number tokens in different places, so clients that
 * take one server for two kinds of database would not see each other's tokens.
 */
public final class KindCheck implements Connector {

  private final Connector connector;
  private final MySqlFamily dialect;
  private final String address;

  private KindCheck(Connector connector, MySqlFamily dialect, String address) {
    this.connector = connector;
    this.dialect = dialect;
    this.address = address;
  }

  /**
   * The same connections, checked where they could be to another kind.
   *
   * @param address without secrets
   */
  public static Connector of(Connector connector, Dialect dialect, String address) {
    return dialect instanceof MySqlFamily family
        ? new KindCheck(connector, family, address)
        : connector;
  }

  @Override
  public Connection connect() throws SQLException, EngineException.Refused {
    Connection fresh = connector.connect();
    boolean maria;
    try {
      // What the server said when the driver connected: this is no trip. The name of the product
      // would not do, as MySQL's driver calls MariaDB "MySQL", and MariaDB's can be told to.
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
        + (connector.lends()
            ? "name it by JdbcOptions.of(\"jdbc:mariadb:…\")"
            : "use jdbc:mariadb: in the address, and MariaDB's own driver");
  }

  private String isMySql() {
    return "the server at "
        + address
        + " is MySQL: "
        + (connector.lends()
            ? "name it by JdbcOptions.of(\"jdbc:mysql:…\")"
            : "use jdbc:mysql: in the address, with MySQL's own driver, or with MariaDB's and its"
                + " parameter permitMysqlScheme");
  }

  @Override
  public boolean lends() {
    return connector.lends();
  }
}
