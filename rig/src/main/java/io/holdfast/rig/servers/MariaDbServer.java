package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;

/**
 * A MariaDB server of the machine's own {@code mariadbd}, on a free loopback port. If the tests run
 * as root, it runs as the user {@code mysql}.
 */
public final class MariaDbServer implements AutoCloseable {
  /** The database that every server has: its system tables. */
  public static final String DATABASE = "mysql";

  private static final Duration BOUND = Duration.ofSeconds(20);

  private final ServerProcess process;

  private MariaDbServer(ServerProcess process) {
    this.process = process;
  }

  /**
   * Starts a server and returns when it accepts requests.
   *
   * @param arguments more of mariadbd's own, such as {@code "--max-connections=20"}; they win
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static MariaDbServer start(String... arguments) {
    return start(MariaDbServerOptions.PLAIN.with(arguments));
  }

  /** Starts a server with these options, and returns when it accepts requests. */
  public static MariaDbServer start(MariaDbServerOptions options) {
    return start(options.spec());
  }

  /** Starts a server by a changed {@link #spec}. */
  public static MariaDbServer start(ServerSpec spec) {
    return new MariaDbServer(ServerProcess.start(spec));
  }

  /** What the starts above use; for other variables or bounds. */
  public static ServerSpec spec(MariaDbServerOptions options) {
    return options.spec();
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** Who may do everything, without a password. */
  public String user() {
    return MariaDbPrograms.SUPERUSER;
  }

  /** {@code jdbc:mariadb://127.0.0.1:port/database}; the user is given when connecting. */
  public String jdbcUri(String database) {
    return "jdbc:mariadb://127.0.0.1:" + port() + "/" + database;
  }

  /** As {@link #jdbcUri(String)}, with a user in it. */
  public String jdbcUri(String database, String user) {
    return jdbcUri(database) + "?user=" + user;
  }

  /**
   * Runs statements in {@link #DATABASE}; bounded to 20 s.
   *
   * @return the selected values: rows one a line, columns separated by tabs
   * @throws IllegalStateException with the server's words, when a statement failed
   */
  public String sql(String statements) {
    return sql(DATABASE, statements);
  }

  /** As {@link #sql(String)}, in another database. */
  public String sql(String database, String statements) {
    return client(database).run(statements);
  }

  /** Makes an empty database; the name is taken as it is. */
  public void createDatabase(String name) {
    sql("CREATE DATABASE `" + name.replace("`", "``") + "`");
  }

  /** Makes a user who has to show this password and may do everything in this database. */
  public void createUser(String name, String password, String database) {
    String made = "CREATE USER " + text(name) + "@'%' IDENTIFIED BY ";
    String allowed =
        ";\nGRANT ALL ON `" + database.replace("`", "``") + "`.* TO " + text(name) + "@'%'";
    client(DATABASE).run(made + text(password) + allowed, text(password));
  }

  /**
   * Ends all client connections, as an administrator would; returns when they are gone.
   *
   * @return how many there were
   */
  public int terminateConnections() {
    List<String> others =
        sql("SELECT id FROM information_schema.processlist"
                + " WHERE id <> connection_id() AND command <> 'Daemon'")
            .lines()
            .toList();
    for (String id : others) {
      // A session that has ended meanwhile is no error.
      String handler = "DECLARE CONTINUE HANDLER FOR 1094 BEGIN END;";
      sql("DELIMITER //\nBEGIN NOT ATOMIC " + handler + " KILL " + id + "; END//");
    }
    Await.until(
        "the end of the connections " + others + " to " + this,
        BOUND,
        () ->
            sql("SELECT id FROM information_schema.processlist")
                .lines()
                .noneMatch(others::contains));
    return others.size();
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  private SqlShell client(String database) {
    return MariaDbPrograms.client(process.toString(), port(), database);
  }

  private static String text(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
