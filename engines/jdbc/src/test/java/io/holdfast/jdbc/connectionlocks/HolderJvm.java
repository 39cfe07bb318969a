package io.holdfast.jdbc.connectionlocks;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.time.Duration;

/** A program that takes the lock {@code x}, says so, and tells of its loss. */
final class HolderJvm {

  private HolderJvm() {}

  public static void main(String[] arguments) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(arguments[0])) {
      Hold hold = holdfast.lock("x").acquire(Duration.ofSeconds(20));
      hold.onLoss(loss -> System.out.println("lost " + loss.cause()));
      System.out.println("acquired " + hold.token());
      while (System.in.read() >= 0) {
        System.out.println("held " + hold.isHeld());
      }
    }
  }
}
