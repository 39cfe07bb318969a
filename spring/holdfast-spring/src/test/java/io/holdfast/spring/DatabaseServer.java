package io.holdfast.spring;

import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import java.util.function.UnaryOperator;

/**
 * A database server for the tests of transactions.
 *
 * @param label its name in figures
 * @param create creates a database of a name and returns its address, with the user
 * @param lockTimeout what to append to the address to wait for locks of rows for 5 s at most
 * @param repeatableRead whether its transactions are at REPEATABLE READ unless they declare another
 */
record DatabaseServer(
    String label,
    UnaryOperator<String> create,
    String lockTimeout,
    boolean repeatableRead,
    Runnable closer)
    implements AutoCloseable {

  private static final String INNODB_TIMEOUT = "&sessionVariables=innodb_lock_wait_timeout=5";

  static DatabaseServer postgres() {
    PostgresServer server = PostgresServer.start();
    return new DatabaseServer(
        "PostgreSQL",
        name -> {
          server.createDatabase(name);
          return server.jdbcUri(name, server.user());
        },
        "&options=-c%20lock_timeout=5s",
        false,
        server::close);
  }

  static DatabaseServer mariaDb() {
    MariaDbServer server = MariaDbServer.start();
    return new DatabaseServer(
        "MariaDB",
        name -> {
          server.createDatabase(name);
          return server.jdbcUri(name, server.user());
        },
        INNODB_TIMEOUT,
        true,
        server::close);
  }

  static DatabaseServer mySql() {
    MySqlServer server = MySqlServer.start();
    return new DatabaseServer(
        "MySQL",
        name -> {
          server.createDatabase(name);
          return server.jdbcUri(name, server.user());
        },
        INNODB_TIMEOUT,
        true,
        server::close);
  }

  @Override
  public void close() {
    closer.run();
  }
}
