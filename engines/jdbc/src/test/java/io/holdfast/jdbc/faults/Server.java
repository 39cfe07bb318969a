package io.holdfast.jdbc.faults;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MariaDbServerOptions;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.rig.servers.ServerClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.function.IntSupplier;

/** A database server of either kind, as fault tests use it. */
record Server(
    Kind kind, ServerProcess process, String user, IntSupplier terminator, Runnable closer)
    implements AutoCloseable {

  /** Which database. */
  enum Kind {
    POSTGRESQL,
    MARIADB;

    /** Starts one with room for many clients. */
    Server start() {
      return this == POSTGRESQL ? Server.of(POSTGRES) : Server.of(MARIA);
    }

    /** With a wall clock that can be stepped. */
    Server start(ServerClock clock) {
      return this == POSTGRESQL
          ? Server.of(POSTGRES.withClock(clock))
          : Server.of(MARIA.withClock(clock));
    }

    /** With this default isolation, such as {@code repeatable read}. */
    Server start(String isolation) {
      String dashed = isolation.replace(' ', '-').toUpperCase(Locale.ROOT);
      return this == POSTGRESQL
          ? Server.of(POSTGRES.with("default_transaction_isolation", isolation))
          : Server.of(MARIA.with("--transaction-isolation=" + dashed));
    }
  }

  /** What the tests here say in the address: short leases, which end while one watches. */
  static final String LEASE = "&holdfast.lease=2s";

  private static final PostgresServerOptions POSTGRES =
      PostgresServerOptions.PLAIN.with("max_connections", "400");
  private static final MariaDbServerOptions MARIA =
      MariaDbServerOptions.PLAIN.with("--max-connections=400");
  private static final String DATABASE = "app";

  private static Server of(PostgresServerOptions options) {
    PostgresServer server = PostgresServer.start(options);
    server.createDatabase(DATABASE);
    return new Server(
        Kind.POSTGRESQL, server.process(), server.user(), server::terminateBackends, server::close);
  }

  private static Server of(MariaDbServerOptions options) {
    MariaDbServer server = MariaDbServer.start(options);
    server.createDatabase(DATABASE);
    return new Server(
        Kind.MARIADB, server.process(), server.user(), server::terminateConnections, server::close);
  }

  /** The address for drivers. */
  String url() {
    return url(process.port());
  }

  /** The address for drivers, through a proxy. */
  String url(int port) {
    return "jdbc:%s://127.0.0.1:%d/%s?user=%s"
        .formatted(kind.name().toLowerCase(Locale.ROOT), port, DATABASE, user);
  }

  /** The address for clients with leases of 2 s. */
  String uri() {
    return url() + LEASE;
  }

  /** The address for clients with leases of 2 s, through a proxy. */
  String uri(int port) {
    return url(port) + LEASE;
  }

  /** Ends all connections, as an administrator would; answers how many there were. */
  int endConnections() {
    return terminator.getAsInt();
  }

  /** Runs statements, each committed by itself. */
  void run(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The number that a query answers. */
  long number(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  @Override
  public void close() {
    closer.run();
  }

  @Override
  public String toString() {
    return kind.toString();
  }
}
