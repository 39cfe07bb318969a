package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The programs of MariaDB on this machine, their common arguments and the server's files. */
final class MariaDbPrograms {
  /** The owner of Debian's package; the server refuses to run as root. */
  static final String SYSTEM_USER = "mysql";

  /** Who may do everything, without a password. */
  static final String SUPERUSER = "holdfast";

  private static final Program SERVER = Program.of("mariadbd", "mariadb-server");
  private static final Program INSTALL = Program.of("mariadb-install-db", "mariadb-server");
  private static final Program CLIENT = Program.of("mariadb", "mariadb-client");
  private static final Duration BOUND = Duration.ofMinutes(2);

  // Kept small, because every server has one.
  private static final String LOG_SIZE = "--innodb-log-file-size=16M";

  private MariaDbPrograms() {}

  /** Makes {@code data} in this place. */
  static void create(ServerLocation place) {
    place.run(
        BOUND,
        List.of(
            INSTALL.find().toString(),
            "--no-defaults",
            "--datadir=" + place.folder().resolve(DataTemplate.DATA),
            temporaryFiles(place),
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
            LOG_SIZE));
  }

  /** What runs at every start, before the first client gets in. */
  static void writeStartSql(ServerLocation place) throws IOException {
    Files.writeString(
        startSql(place),
        """
        DROP USER IF EXISTS ''@'localhost';
        CREATE USER IF NOT EXISTS '%1$s'@'%%';
        GRANT ALL ON *.* TO '%1$s'@'%%' WITH GRANT OPTION;
        """
            .formatted(SUPERUSER));
  }

  static List<String> server(ServerLocation place) {
    Path folder = place.folder();
    return List.of(
        SERVER.find().toString(),
        "--no-defaults",
        "--datadir=" + folder.resolve(DataTemplate.DATA),
        temporaryFiles(place),
        "--bind-address=127.0.0.1",
        "--port=" + place.port(),
        "--socket=" + folder.resolve("socket"),
        "--pid-file=" + pidFile(place),
        "--init-file=" + startSql(place),
        "--character-set-server=utf8mb4",
        "--innodb-buffer-pool-size=64M",
        LOG_SIZE,
        "--skip-name-resolve");
  }

  /** A client that prints the bare values, columns separated by tabs. */
  static SqlShell client(String server, int port, String database) {
    return new SqlShell(
        server + ", database " + database,
        List.of(
            CLIENT.find().toString(),
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
        && client("mariadb on port " + place.port(), place.port(), MariaDbServer.DATABASE)
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
