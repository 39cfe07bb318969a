package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;

/**
 * A PostgreSQL server of the machine's own newest {@code postgres}, on a free loopback port. If the
 * tests run as root, it runs as the user {@code postgres}.
 *
 * <p>Everybody is let in without a password, except users made by {@link #createUser}.
 */
public final class PostgresServer implements AutoCloseable {
  /** The database that every server has. */
  public static final String DATABASE = "postgres";

  private static final Duration BOUND = Duration.ofSeconds(20);

  private final ServerProcess process;

  private PostgresServer(ServerProcess process) {
    this.process = process;
  }

  /**
   * Starts a server and returns when it takes connections.
   *
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static PostgresServer start() {
    return start(PostgresServerOptions.PLAIN);
  }

  /** Starts a server with these options, and returns when it takes connections. */
  public static PostgresServer start(PostgresServerOptions options) {
    return start(options.spec());
  }

  /** Starts a server by a changed {@link #spec}. */
  public static PostgresServer start(ServerSpec spec) {
    return new PostgresServer(ServerProcess.start(spec));
  }

  /** What the starts above use; for other variables or bounds. */
  public static ServerSpec spec(PostgresServerOptions options) {
    return options.spec();
  }

  /** The process: to kill, pause, stop and start it again, always with all of its backends. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** The superuser, who needs no password. */
  public String user() {
    return PostgresPrograms.SUPERUSER;
  }

  /** {@code jdbc:postgresql://127.0.0.1:port/database}; the user is given when connecting. */
  public String jdbcUri(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
  }

  /** As {@link #jdbcUri(String)}, with a user in it. */
  public String jdbcUri(String database, String user) {
    return jdbcUri(database) + "?user=" + user;
  }

  /**
   * Runs statements in {@link #DATABASE}, each a transaction of its own unless they say otherwise;
   * bounded to 20 s.
   *
   * @return the selected values: rows one a line, columns separated by {@code |}
   * @throws IllegalStateException with the server's words, when a statement failed
   */
  public String sql(String statements) {
    return sql(DATABASE, statements);
  }

  /** As {@link #sql(String)}, in another database. */
  public String sql(String database, String statements) {
    return PostgresPrograms.psql(process.toString(), port(), database).run(statements);
  }

  /** Makes an empty database; the name is taken as it is. */
  public void createDatabase(String name) {
    sql("CREATE DATABASE " + quoted(name));
  }

  /** Makes a user without special rights who has to show this password. */
  public void createUser(String name, String password) {
    String group = PostgresPrograms.PASSWORD_USERS;
    String made =
        """
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '%1$s') THEN CREATE ROLE %1$s; END IF;
        END $$;
        CREATE ROLE %2$s LOGIN IN ROLE %1$s PASSWORD\s"""
            .formatted(group, quoted(name));
    String secret = "'" + password.replace("'", "''") + "'";
    PostgresPrograms.psql(process.toString(), port(), DATABASE).run(made + secret, secret);
  }

  /**
   * Ends all client connections to all databases, as an administrator would; returns when they are
   * gone.
   *
   * @return how many there were
   */
  public int terminateBackends() {
    // In two steps, because the order in which a WHERE looks at its conditions is not ours.
    List<String> ended =
        sql("""
            WITH others AS MATERIALIZED (SELECT pid FROM pg_stat_activity
              WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())
            SELECT pid FROM others WHERE pg_terminate_backend(pid)""")
            .lines()
            .toList();
    Await.until(
        "the end of the connections " + ended + " to " + this,
        BOUND,
        () -> sql("SELECT pid FROM pg_stat_activity").lines().noneMatch(ended::contains));
    return ended.size();
  }

  /** Whether it is a standby that was not promoted. */
  public boolean isStandby() {
    return sql("SELECT pg_is_in_recovery()").equals("t");
  }

  /** Makes a standby a primary; returns when it takes writes. */
  public void promote() {
    sql("SELECT pg_promote(true, " + BOUND.toSeconds() + ")");
    Await.until("a primary: " + this, BOUND, () -> !isStandby());
  }

  /** Returns when this standby shows all that the primary had committed before the call. */
  public void awaitInSync(PostgresServer primary) {
    String end = primary.sql("SELECT pg_current_wal_lsn()");
    Await.until(
        this + " in sync with " + primary,
        BOUND,
        () -> sql("SELECT pg_last_wal_replay_lsn() >= '" + end + "'::pg_lsn").equals("t"));
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.stop();
    PostgresFiles.freeSharedMemory(process.place());
    process.close();
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
