package io.holdfast.cli.look;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What the program printed, and what it ended with. */
record Printed(int code, String out, String err) {

  /** Runs it in this process. */
  static Printed by(String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
    try {
      int code = Main.wholeTree().execute(arguments);
      return new Printed(
          code,
          outBytes.toString(StandardCharsets.UTF_8),
          errBytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Runs it in a process of its own, for what is in the user's folders. */
  static Printed byProcess(Path home, String... arguments) {
    try (Cli cli = Cli.Setup.in(home).run(arguments)) {
      return new Printed(cli.awaitExit(), cli.out(), cli.err());
    }
  }

  List<String> lines() {
    return out.lines().toList();
  }
}
