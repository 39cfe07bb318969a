package io.holdfast.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds executables as a shell does. */
public final class ExecutableFinder {

  private ExecutableFinder() {}

  /**
   * Says no to what cannot be run, before anybody waits for a lock.
   *
   * @throws CliException with the codes that a shell has for it
   */
  public static void require(String name) {
    if (find(name).isPresent()) {
      return;
    }
    boolean there = name.contains("/") && Files.exists(Path.of(name));
    throw there
        ? new CliException(ExitCode.NOT_EXECUTABLE, name + ": may not be executed")
        : new CliException(ExitCode.NOT_FOUND, name + ": command not found");
  }

  /** Where it is, if it may be run. */
  static Optional<Path> find(String name) {
    if (name.contains("/")) {
      return Optional.of(Path.of(name)).filter(ExecutableFinder::isProgram);
    }
    String path = System.getenv("PATH");
    for (String folder : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder).resolve(name);
      if (!name.isEmpty() && isProgram(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
