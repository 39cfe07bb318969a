package io.holdfast.cli.look.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Looks at what the program runs on. */
final class ThisMachine {

  private ThisMachine() {}

  static void look(Rounds rounds) {
    rounds.say(
        Finding.good(
            "java",
            System.getProperty("java.version") + " of " + System.getProperty("java.vendor")));
    if (!System.getProperty("os.name", "").equals("Linux")) {
      rounds.say(
          Finding.note(
              "system",
              System.getProperty("os.name")
                  + ": a command that 'run' has started does not end with it if it is killed"));
    } else if (isOnPath("setpriv")) {
      rounds.say(Finding.good("setpriv", "a command that 'run' has started ends with it"));
    } else {
      rounds.say(
          Finding.warn(
              "setpriv",
              "is missing: a command goes on without its lock if 'run' is killed with -9",
              "install util-linux"));
    }
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv("PATH");
    return path != null
        && Stream.of(path.split(":", -1))
            .filter(folder -> !folder.isEmpty())
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
