package io.holdfast.rig.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a child process is started.
 *
 * @param folder its working folder
 * @param log where its output goes, appended
 * @param user whom it runs as if we are root; servers such as PostgreSQL refuse to run as root
 */
public record LaunchSpec(
    String name,
    List<String> command,
    Path folder,
    Path log,
    Map<String, String> environment,
    Optional<String> user) {
  private static final Program SETPRIV = Program.of("setpriv", "util-linux");

  public LaunchSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  public static boolean asRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * The command line, run by setpriv where there is one: the kernel then kills the child when its
   * parent dies, even by kill -9. setpriv becomes the program, so that the process id is its own.
   */
  List<String> line() {
    Optional<Path> setpriv = SETPRIV.locate();
    List<String> line = new ArrayList<>();
    if (user.isPresent() && asRoot()) {
      line.add(setpriv.orElseGet(SETPRIV::find).toString());
      line.addAll(List.of("--reuid=" + user.get(), "--regid=" + groupOf(user.get())));
      line.addAll(List.of("--init-groups", "--pdeathsig", "KILL"));
    } else if (setpriv.isPresent()) {
      line.addAll(List.of(setpriv.get().toString(), "--pdeathsig", "KILL"));
    }
    line.addAll(command);
    return line;
  }

  private static String groupOf(String user) {
    try {
      Process id = new ProcessBuilder("id", "-g", user).redirectErrorStream(true).start();
      String answer = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      if (answer.isEmpty() || !answer.chars().allMatch(Character::isDigit)) {
        throw new IllegalStateException("no group of the user " + user + ": " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
