package io.holdfast.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a program prints to standard output. */
final class Printed {

  /** A program. */
  interface Program {
    void run() throws Exception;
  }

  private Printed() {}

  static List<String> by(Program program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      program.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
