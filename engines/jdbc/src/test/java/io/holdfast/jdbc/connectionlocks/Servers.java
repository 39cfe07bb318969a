package io.holdfast.jdbc.connectionlocks;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;

/**
 * A database server, whichever it is.
 *
 * @param uri with a user in it, and a question mark
 * @param endConnections as an administrator would
 */
record Servers(ServerProcess process, String uri, Runnable endConnections, Runnable stop)
    implements AutoCloseable {

  static Servers start(String database) {
    if (database.equals("postgresql")) {
      PostgresServer server = PostgresServer.start();
      return new Servers(
          server.process(),
          server.jdbcUri(PostgresServer.DATABASE, server.user()),
          server::terminateBackends,
          server::close);
    }
    MariaDbServer server = MariaDbServer.start();
    return new Servers(
        server.process(),
        server.jdbcUri(MariaDbServer.DATABASE, server.user()),
        server::terminateConnections,
        server::close);
  }

  /** The address of a mode, with the shortest lease. */
  String uri(String mode) {
    return uri + "&holdfast.lease=2s&holdfast.mode=" + mode;
  }

  @Override
  public void close() {
    stop.run();
  }
}
