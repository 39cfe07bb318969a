package io.holdfast.tck.conformance;

import java.time.Duration;

/** Prints what the kit measured: a pass alone does not show how close it was. */
final class KitOutput {

  private KitOutput() {}

  static void print(String what, Duration took, Duration bound) {
    print(what + ": " + millis(took) + " (bound " + millis(bound) + ")");
  }

  static void print(String line) {
    System.out.println("[tck] " + line);
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + " ms";
  }
}
