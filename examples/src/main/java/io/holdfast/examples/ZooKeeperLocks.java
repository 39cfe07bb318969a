package io.holdfast.examples;

import io.holdfast.Holdfast;
import java.time.Duration;

/** Locks in ZooKeeper. */
public final class ZooKeeperLocks {

  private ZooKeeperLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of a server, such as {@code zookeeper://localhost:2181}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    // region docs
    try (var holdfast = Holdfast.connect(address); // zookeeper://localhost:2181
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }
    // endregion
  }
}
