package io.holdfast.rig.servers;

import io.holdfast.rig.process.LaunchSpec;
import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The programs of MySQL, their common arguments and the server's files. They are the programs that
 * were fetched ({@link FetchedServers}), or the machine's own.
 *
 * @param base where mysqld finds its own files, if not where its package puts them
 */
record MySqlPrograms(Path server, Path client, List<String> base) {
  /**
   * Whom the server runs as if the tests run as root. Not a user of its own: the folder that it was
   * fetched into may be readable by root alone.
   */
  static final String SYSTEM_USER = "root";

  /** Who may do everything, without a password. */
  static final String SUPERUSER = "holdfast";

  private static final String SET = "mysql";
  private static final Program SERVER = Program.of("mysqld", "mysql-server-core");
  private static final Program CLIENT = Program.of("mysql", "mysql-client-core");
  private static final Duration BOUND = Duration.ofMinutes(2);

  // Kept small, because every server has one.
  private static final String LOG_SIZE = "--innodb-redo-log-capacity=16M";

  // Looked for once, as the machine's own is started for that.
  private static final Optional<MySqlPrograms> FOUND = search();

  MySqlPrograms {
    base = List.copyOf(base);
  }

  /** Returns the programs, or nothing where there is no MySQL. */
  static Optional<MySqlPrograms> locate() {
    return FOUND;
  }

  private static Optional<MySqlPrograms> search() {
    Optional<Path> server = FetchedServers.program(SET, SERVER.name());
    Optional<Path> client = FetchedServers.program(SET, CLIENT.name());
    if (server.isPresent() && client.isPresent()) {
      return Optional.of(new MySqlPrograms(server.get(), client.get(), base(server.get())));
    }
    Optional<Path> own = SERVER.locate().filter(MySqlPrograms::isMySql);
    Optional<Path> ownClient = CLIENT.locate();
    return own.isPresent() && ownClient.isPresent()
        ? Optional.of(new MySqlPrograms(own.get(), ownClient.get(), List.of()))
        : Optional.empty();
  }

  /** Its own files are next to it, and not where MariaDB may have put others of the same names. */
  private static List<String> base(Path server) {
    Path usr = server.resolve("../../usr").normalize();
    return List.of(
        "--basedir=" + usr,
        "--lc-messages-dir=" + usr.resolve("share/mysql"),
        "--character-sets-dir=" + usr.resolve("share/mysql/charsets"),
        "--plugin-dir=" + usr.resolve("lib/mysql/plugin"));
  }

  /** MariaDB's package has a program of this name too. */
  private static boolean isMySql(Path server) {
    try {
      Process asked =
          new ProcessBuilder(server.toString(), "--version").redirectErrorStream(true).start();
      String said =
          new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return !said.isEmpty() && !said.contains("MariaDB");
    } catch (IOException e) {
      return false;
    }
  }

  private static MySqlPrograms find() {
    return locate().orElseThrow(() -> new IllegalStateException(MySqlServer.MISSING));
  }

  /** Makes {@code data} in this place. */
  static void create(ServerLocation place) {
    List<String> command = new ArrayList<>(find().mysqld());
    command.add("--initialize-insecure");
    command.add("--datadir=" + place.folder().resolve(DataTemplate.DATA));
    command.add(temporaryFiles(place));
    command.add(LOG_SIZE);
    place.run(BOUND, command);
  }

  /** What runs at every start, before the first client gets in. */
  static void writeStartSql(ServerLocation place) throws IOException {
    Files.writeString(
        startSql(place),
        """
        CREATE USER IF NOT EXISTS '%1$s'@'%%';
        GRANT ALL ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
        """
            .formatted(SUPERUSER));
  }

  static List<String> server(ServerLocation place) {
    Path folder = place.folder();
    List<String> command = new ArrayList<>(find().mysqld());
    command.addAll(
        List.of(
            "--datadir=" + folder.resolve(DataTemplate.DATA),
            temporaryFiles(place),
            "--bind-address=127.0.0.1",
            "--port=" + place.port(),
            "--socket=" + folder.resolve("socket"),
            "--pid-file=" + pidFile(place),
            "--init-file=" + startSql(place),
            "--secure-file-priv=NULL",
            "--mysqlx=OFF",
            // As MariaDB has it by itself: nobody replicates from this server.
            "--skip-log-bin",
            "--innodb-buffer-pool-size=64M",
            LOG_SIZE,
            "--skip-name-resolve"));
    return command;
  }

  private List<String> mysqld() {
    List<String> command = new ArrayList<>(List.of(server.toString(), "--no-defaults"));
    command.addAll(base);
    if (LaunchSpec.asRoot()) {
      command.add("--user=" + SYSTEM_USER);
    }
    return command;
  }

  /** A client that prints the bare values, columns separated by tabs. */
  static SqlShell client(String server, int port, String database) {
    return new SqlShell(
        server + ", database " + database,
        List.of(
            find().client().toString(),
            "--no-defaults",
            "--protocol=tcp",
            "--host=127.0.0.1",
            "--port=" + port,
            "--user=" + SUPERUSER,
            "--default-character-set=utf8mb4",
            "--connect-timeout=5",
            "--batch",
            "--skip-column-names",
            "--database=" + database),
        Map.of());
  }

  /** Whether this very process is up and replies. */
  static boolean isReady(ServerLocation place, long pid) throws IOException {
    return Files.readString(pidFile(place)).strip().equals(Long.toString(pid))
        && client("mysql on port " + place.port(), place.port(), MySqlServer.DATABASE)
            .run("SELECT 1")
            .equals("1");
  }

  /** Not the machine's folder: a server that starts removes what others have there. */
  private static String temporaryFiles(ServerLocation place) {
    return "--tmpdir=" + place.folder();
  }

  private static Path pidFile(ServerLocation place) {
    return place.folder().resolve("pid");
  }

  private static Path startSql(ServerLocation place) {
    return place.folder().resolve("start.sql");
  }
}
