package io.holdfast.rig.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Servers that the machine's Debian does not have. {@code ./holdfast test} fetches them into a
 * cache folder of the user, each set into a folder of its own; the variable {@code
 * HOLDFAST_SERVERS} names another place for those folders.
 */
final class FetchedServers {

  private FetchedServers() {}

  /**
   * Returns where a program of a set is, or nothing.
   *
   * @param set a folder in the cache, such as {@code mysql}
   */
  static Optional<Path> program(String set, String name) {
    Path file = home().resolve(set).resolve("bin").resolve(name);
    return Files.isExecutable(file) ? Optional.of(file) : Optional.empty();
  }

  /** The folder of the sets; the script {@code ./holdfast} has the same rule. */
  static Path home() {
    return variable("HOLDFAST_SERVERS")
        .orElseGet(
            () ->
                variable("XDG_CACHE_HOME")
                    .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                    .resolve("holdfast/servers"));
  }

  private static Optional<Path> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(v -> !v.isEmpty()).map(Path::of);
  }
}
