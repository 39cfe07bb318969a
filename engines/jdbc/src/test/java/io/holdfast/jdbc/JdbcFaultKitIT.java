package io.holdfast.jdbc;

import io.holdfast.FenceGuard;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import io.holdfast.rig.faults.ServerFaultStore;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.tck.faults.EngineFaultKit;
import io.holdfast.tck.faults.FaultScenario;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What the faults on all databases have in common. */
abstract class JdbcFaultKitIT extends EngineFaultKit {

  /** In the mode row each hold keeps a connection. */
  static final String ROW = "&holdfast.mode=row&holdfast.rowConnections=120";

  static final String SESSION = "&holdfast.mode=session";
  static final String TABLE = "";

  private static final int CONNECTIONS = 400;
  private static final String DATABASE = "kit";

  @Override
  protected Set<FaultScenario> declined() {
    return Set.of(FaultScenario.F14_ONE_SERVER_HANGS);
  }

  /** For modes whose holds are locks of connections: they have neither lines nor records. */
  static Set<FaultScenario> declinedByConnectionLocks() {
    return Set.of(
        FaultScenario.F03_DEAD_WAITERS,
        FaultScenario.F04_LONG_LINE,
        FaultScenario.F11_NOTHING_LEFT_BEHIND,
        FaultScenario.F14_ONE_SERVER_HANGS,
        FaultScenario.F15_DELETED_RECORD);
  }

  static Store postgres(String mode) {
    PostgresServer server =
        PostgresServer.start(
            PostgresServerOptions.PLAIN.with("max_connections", Integer.toString(CONNECTIONS)));
    server.createDatabase(DATABASE);
    return new Store(
        "PostgreSQL" + mode,
        server.process(),
        server.jdbcUri(DATABASE, server.user()) + mode,
        server::close);
  }

  static Store mariaDb(String mode) {
    MariaDbServer server = MariaDbServer.start("--max-connections=" + CONNECTIONS);
    server.createDatabase(DATABASE);
    return new Store(
        "MariaDB" + mode,
        server.process(),
        server.jdbcUri(DATABASE, server.user()) + mode,
        server::close);
  }

  static Store mySql(String mode) {
    MySqlServer server = MySqlServer.start("--max-connections=" + CONNECTIONS);
    server.createDatabase(DATABASE);
    return new Store(
        "MySQL" + mode,
        server.process(),
        server.jdbcUri(DATABASE, server.user()) + "&sslMode=DISABLED" + mode,
        server::close);
  }

  /** A database. */
  static final class Store extends ServerFaultStore {
    private final String url;
    private final Runnable closer;
    private final int manyHolds;

    /**
     * A database with a server.
     *
     * @param url the address with its mode
     */
    private Store(String name, ServerProcess server, String url, Runnable closer) {
      super(
          name,
          new JdbcEngineProvider(),
          List.of(server),
          ports -> url.replace(":" + server.port() + "/", ":" + ports.get(0) + "/"));
      this.url = url;
      this.closer = closer;
      this.manyHolds = url.endsWith(ROW) ? 100 : super.manyHolds();
    }

    /** A database inside its clients, whose processors it shares. */
    Store(String name, String url) {
      super(name, new JdbcEngineProvider(), List.of(), url);
      this.url = url;
      this.closer = () -> {};
      this.manyHolds = 200;
    }

    @Override
    public int manyHolds() {
      return manyHolds;
    }

    /** Where nobody is signalled, each waiter of a line polls. */
    @Override
    public int longLine() {
      return 60;
    }

    /** A poll is at most half a second away, where nobody is signalled. */
    @Override
    public Duration handOver() {
      return url.startsWith("jdbc:postgresql:") ? super.handOver() : Duration.ofMillis(600);
    }

    /** The header of a name stays until it is swept; what the inspector lists is in use. */
    @Override
    public List<String> leftovers(String namespace) throws Exception {
      return listed(namespace);
    }

    @Override
    public FenceGuard guard() throws SQLException {
      SqlFenceGuard guard = SqlFenceGuard.connect(url);
      guard.createTable();
      return guard;
    }

    @Override
    public void deleteHeld(String namespace, String name) throws SQLException {
      try (Connection connection = DriverManager.getConnection(url);
          PreparedStatement delete =
              connection.prepareStatement("delete from holdfast_lock where ns = ? and name = ?")) {
        delete.setString(1, namespace);
        delete.setString(2, name);
        if (delete.executeUpdate() != 1) {
          throw new AssertionError("no record of " + name);
        }
      }
    }

    @Override
    public void close() {
      closer.run();
    }
  }
}
