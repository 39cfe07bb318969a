package io.holdfast.benchmarks;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Colours on a terminal, nothing elsewhere. */
enum Ink {
  PLAIN,
  COLOURED;

  /** Coloured if somebody looks at it. */
  static Ink ofThisProcess() {
    boolean refused = System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
    return !refused && isTerminal(System.console()) ? COLOURED : PLAIN;
  }

  private static boolean isTerminal(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      // From JDK 22 on there may be a console without a terminal, and a method that tells.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  String bold(String text) {
    return paint("1", text);
  }

  String faint(String text) {
    return paint("2", text);
  }

  String good(String text) {
    return paint("32", text);
  }

  String bad(String text) {
    return paint("31;1", text);
  }

  private String paint(String code, String text) {
    return this == PLAIN ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
