package io.holdfast.examples;

import io.holdfast.Holdfast;
import java.time.Duration;

/** Locks through a lock service: neither a driver nor a password of its store is needed. */
public final class RemoteLocks {

  private RemoteLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of a service, such as {@code http://h1:7420,h2:7420}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    // region docs
    try (var holdfast = Holdfast.connect(address); // http://h1:7420,h2:7420
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }
    // endregion
  }
}
