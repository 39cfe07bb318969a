package io.holdfast.jdbc;

import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.connection.DataSourceConnector;
import io.holdfast.jdbc.connection.DriverConnector;
import io.holdfast.jdbc.connection.ServerKindCheck;
import io.holdfast.jdbc.connection.StoreConfig;
import io.holdfast.jdbc.connectionlocks.ConnectionLockEngine;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.table.TableEngine;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Opens the engine for a database, in the mode that the options name.
 *
 * <p>The engine never joins a transaction of the program.
 */
public final class JdbcEngine {

  private JdbcEngine() {}

  /**
   * Opens an engine with connections of its own. The database need not be up. Where signals may be
   * possible, the database is asked now, for up to the operation timeout.
   *
   * @throws IllegalArgumentException when the database does not have the mode
   */
  public static LockEngine open(JdbcOptions options, Settings settings) {
    Dialect dialect = dialect(options);
    Connector connector =
        new DriverConnector(
            options.url(),
            options.address(),
            dialect,
            Map.of("user", options.user(), "password", options.password()),
            settings.operationTimeout());
    return open(options, dialect, connector, settings);
  }

  /** As {@link #over(DataSource, Settings)}, for a client with default options. */
  public static LockEngine over(DataSource source) {
    return over(
        source,
        Settings.defaults(
            System::nanoTime, () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
  }

  /**
   * Opens an engine over a caller-supplied source of connections, in the mode table with default
   * tables. Asks the source for a connection now, to learn which database it is, and returns it.
   * Blocks until there is one; where the database may be down at this time, use {@link
   * #over(DataSource, JdbcOptions, Settings)}, which describes what the source must be like.
   *
   * @throws IllegalStateException when no connection was obtained
   * @throws IllegalArgumentException when the database is not supported
   */
  public static LockEngine over(DataSource source, Settings settings) {
    return over(source, JdbcOptions.of(urlOf(source)), settings);
  }

  private static String urlOf(DataSource source) {
    try (Connection connection = source.getConnection()) {
      String url = connection.getMetaData().getURL();
      if (url == null) {
        throw new IllegalArgumentException(
            "the driver behind the data source does not tell its address:"
                + " pass JdbcOptions with the address");
      }
      return url;
    } catch (SQLException e) {
      throw new IllegalStateException(
          "no connection from the data source, so its database is not known: "
              + e.getMessage()
              + "; start the database, or pass JdbcOptions with the address",
          e);
    }
  }

  /**
   * Opens an engine over a caller-supplied source of connections, such as a pool. The source must
   * have one connection to spare for every lane, for the reserved lane, and one more, and another
   * one if counters are used; each is kept for as long as the engine is open. The source must not
   * be transaction-aware. Closing the engine does not close it.
   *
   * @param options the database and the tables; the address is only shown
   * @throws IllegalArgumentException when the database does not have the mode
   */
  public static LockEngine over(DataSource source, JdbcOptions options, Settings settings) {
    return open(options, dialect(options), new DataSourceConnector(source), settings);
  }

  private static Dialect dialect(JdbcOptions options) {
    return Dialect.of(options.database().name().toLowerCase(Locale.ROOT));
  }

  private static LockEngine open(
      JdbcOptions options, Dialect dialect, Connector unchecked, Settings settings) {
    StoreConfig config =
        new StoreConfig(
            dialect,
            ServerKindCheck.of(unchecked, dialect, options.address()),
            options.url(),
            options.address(),
            options.prefix(),
            options.create(),
            settings);
    return switch (options.mode()) {
      case TABLE -> new TableEngine(config, options.signals());
      case SESSION -> ConnectionLockEngine.session(config);
      case ROW -> ConnectionLockEngine.row(config, options.rowConnections());
    };
  }
}
