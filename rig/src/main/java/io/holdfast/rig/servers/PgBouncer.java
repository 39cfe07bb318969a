package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A PgBouncer in front of a {@link PostgresServer}, on a free loopback port. It is the machine's
 * own {@code pgbouncer}. If the tests run as root, it runs as the user {@code postgres}. It lets in
 * {@link #user()} without a password, to every database of the server.
 */
public final class PgBouncer implements AutoCloseable {
  /** For how long a client keeps the connection to the server that it was given. */
  public enum PoolMode {
    /** Until it leaves. */
    SESSION,
    /** Until its transaction ends: the next one may run on another connection. */
    TRANSACTION
  }

  private static final Program PROGRAM = Program.of("pgbouncer", "pgbouncer");
  private static final String CONSOLE = "pgbouncer";
  private static final String CONFIGURATION = "pgbouncer.ini";
  private static final String USERS = "users.txt";
  private static final Duration START = Duration.ofSeconds(30);
  // Newer versions wait for their clients when they are asked to end.
  private static final Duration STOP = Duration.ofSeconds(1);

  private final ServerProcess process;

  private PgBouncer(ServerProcess process) {
    this.process = process;
  }

  /** Starts one with up to 20 connections to each database of the server. */
  public static PgBouncer start(PostgresServer server, PoolMode mode) {
    return start(server, mode, 20);
  }

  /**
   * Starts one and returns when it takes connections.
   *
   * @param poolSize how many connections it opens to a database of the server at most
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static PgBouncer start(PostgresServer server, PoolMode mode, int poolSize) {
    ServerSpec spec =
        ServerSpec.of("pgbouncer", PgBouncer::command, (place, pid) -> isReady(place))
            .withPreparation(place -> configure(place, server, mode, poolSize))
            .withUser(PostgresPrograms.SYSTEM_USER)
            .withBounds(START, STOP);
    return new PgBouncer(ServerProcess.start(spec));
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** Who is let in, without a password; on the server it is the superuser. */
  public String user() {
    return PostgresPrograms.SUPERUSER;
  }

  /** {@code jdbc:postgresql://127.0.0.1:port/database}. */
  public String jdbcUri(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
  }

  /** As {@link #jdbcUri(String)}, with a user in it. */
  public String jdbcUri(String database, String user) {
    return jdbcUri(database) + "?user=" + user;
  }

  /** As {@link PostgresServer#sql(String, String)}, through the pool. */
  public String sql(String database, String statements) {
    return PostgresPrograms.psql(process.toString(), port(), database).run(statements);
  }

  /** A command of its console, such as {@code SHOW POOLS}; the result as in {@link #sql}. */
  public String console(String command) {
    return sql(CONSOLE, command);
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  private static List<String> command(ServerLocation place) {
    return List.of(PROGRAM.find().toString(), place.folder().resolve(CONFIGURATION).toString());
  }

  private static void configure(
      ServerLocation place, PostgresServer server, PoolMode mode, int poolSize) throws IOException {
    String user = PostgresPrograms.SUPERUSER;
    Files.writeString(place.folder().resolve(USERS), "\"" + user + "\" \"\"\n");
    Files.writeString(
        place.folder().resolve(CONFIGURATION),
        """
        [databases]
        * = host=127.0.0.1 port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        admin_users = %s
        pool_mode = %s
        default_pool_size = %d
        max_client_conn = 500
        ; what JDBC drivers send and PgBouncer does not know
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(
                server.port(),
                place.port(),
                place.folder().resolve(USERS),
                user,
                mode.name().toLowerCase(Locale.ROOT),
                poolSize));
  }

  /** A stranger on the port would not know our user and our console. */
  private static boolean isReady(ServerLocation place) {
    return PostgresPrograms.psql("pgbouncer on port " + place.port(), place.port(), CONSOLE)
        .run("SHOW CONFIG")
        .contains(place.folder().toString());
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
