package io.holdfast.tck;

import java.time.Duration;

/** What the kit says of its measurements: a pass alone does not show how close it was. */
final class Figures {

  private Figures() {}

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
