package io.holdfast.rig;

import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

/**
 * A client that does nothing until it is told an exit code or its input ends; a deaf one never ends
 * by itself.
 */
final class Listener {
  private Listener() {}

  public static void main(String[] arguments) throws InterruptedException {
    System.out.println("listening");
    if (arguments.length > 0 && arguments[0].equals("deaf")) {
      new CountDownLatch(1).await();
    }
    try (Scanner in = new Scanner(System.in, StandardCharsets.UTF_8)) {
      if (in.hasNextInt()) {
        System.exit(in.nextInt());
      }
    }
  }
}
