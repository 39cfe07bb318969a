package io.holdfast.zookeeper.faults;

import io.holdfast.Holdfast;
import java.time.Duration;

/** Takes a lock, closes its client, and ends without a moment's delay. */
final class ShortProgram {

  private ShortProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    Holdfast holdfast = Holdfast.connect(arguments[0]);
    holdfast.lock("short").acquire(Duration.ofSeconds(30));
    System.out.println("held");
    holdfast.close();
    // Not exit: that leaves other threads some time.
    Runtime.getRuntime().halt(0);
  }
}
