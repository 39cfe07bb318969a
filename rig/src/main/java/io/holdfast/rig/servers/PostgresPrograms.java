package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The programs of the newest PostgreSQL on this machine, and their common arguments. */
final class PostgresPrograms {
  /** The owner of Debian's package; the server refuses to run as root. */
  static final String SYSTEM_USER = "postgres";

  /** Who may do everything, without a password. */
  static final String SUPERUSER = "holdfast";

  /** Members of this role need their password, see {@link PostgresServer#createUser}. */
  static final String PASSWORD_USERS = "password_users";

  private static final String HOST = "127.0.0.1";

  // Not on Debian's PATH. What is there under the names of the clients is a slow wrapper, hence
  // the clients are taken from the server's folder.
  private static final Program SERVER =
      Program.of("postgres", "postgresql").alsoIn("/usr/lib/postgresql/*/bin");

  private PostgresPrograms() {}

  static String server() {
    return SERVER.find().toString();
  }

  static String path(String name) {
    try {
      // The real one, because a link to the server may have no links to the others next to it.
      return SERVER.find().toRealPath().resolveSibling(name).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A command line of a client program for the server on this port. */
  static List<String> client(String name, int port, String... more) {
    List<String> command = new ArrayList<>(List.of(path(name), "--host", HOST));
    command.addAll(List.of("--port", Integer.toString(port), "--username", SUPERUSER));
    command.addAll(List.of(more));
    return command;
  }

  /** A psql that prints the bare values, columns separated by {@code |}. */
  static SqlShell psql(String server, int port, String database) {
    List<String> command =
        client("psql", port, "--no-psqlrc", "--no-align", "--tuples-only", "--quiet");
    command.addAll(List.of("--no-password", "--dbname", database, "--file", "-"));
    command.addAll(List.of("--set", "ON_ERROR_STOP=1", "--set", "VERBOSITY=terse"));
    return new SqlShell(
        server + ", database " + database, command, Map.of("PGCONNECT_TIMEOUT", "5"));
  }

  /** Makes {@code data} in this place: trust for everybody on loopback but the password users. */
  static void initdb(ServerLocation place, Duration bound) {
    place.run(
        bound,
        List.of(
            path("initdb"),
            "--pgdata=" + place.folder().resolve(DataTemplate.DATA),
            "--username=" + SUPERUSER,
            "--auth=trust",
            "--no-locale",
            "--encoding=UTF8",
            // The folder is gone before the machine is.
            "--no-sync"));
  }
}
