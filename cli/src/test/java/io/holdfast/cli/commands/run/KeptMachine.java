package io.holdfast.cli.commands.run;

import io.holdfast.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A process that runs command lines one after another, each as {@link Main} would, and prints what
 * each has ended with.
 */
final class KeptMachine {

  /** Between the words of a line. */
  static final String SEPARATOR = "\t";

  private KeptMachine() {}

  /** Reads lines from standard input until that ends. */
  public static void main(String... none) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // Classes are loaded with the first command, and it must not come too late for its period.
    int code = run("once", "warm-" + ProcessHandle.current().pid(), "--every", "1s", "--", "true");
    System.err.println("ready: " + code);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(run(line.split(SEPARATOR, -1)));
    }
  }

  private static int run(String... line) {
    return Main.wholeTree().execute(line);
  }
}
