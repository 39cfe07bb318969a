package io.holdfast.rig.clients;

import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;

/**
 * A client that waits for an exit code or the end of its input; a deaf one never ends by itself.
 */
final class ListeningProgram {
  private ListeningProgram() {}

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
