package io.holdfast.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What the program printed, and what it ended with. */
public record CliOutput(int code, String out, String err) {

  /** Runs it in this process. */
  public static CliOutput by(String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
    try {
      int code = Main.wholeTree().execute(arguments);
      return new CliOutput(
          code,
          outBytes.toString(StandardCharsets.UTF_8),
          errBytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Runs it in a process of its own, for what is in the user's folders. */
  public static CliOutput byProcess(Path home, String... arguments) {
    try (CliProcess cli = CliProcess.Setup.in(home).run(arguments)) {
      return new CliOutput(cli.awaitExit(), cli.out(), cli.err());
    }
  }

  public List<String> lines() {
    return out.lines().toList();
  }
}
