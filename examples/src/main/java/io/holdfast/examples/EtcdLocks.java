package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.etcd.EtcdFenceGuard;
import io.holdfast.etcd.GuardedWrite;
import java.time.Duration;

/** Locks in etcd, and a write to etcd that only the holder's token lets through. */
public final class EtcdLocks {

  private EtcdLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of a cluster, such as {@code etcd://h1,h2,h3}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    // region docs
    try (var holdfast = Holdfast.connect(address); // etcd://h1,h2,h3
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }

    try (Holdfast holdfast = Holdfast.connect(address);
        EtcdFenceGuard guard = EtcdFenceGuard.connect(address);
        Hold hold = holdfast.lock("stock").acquire(Duration.ofSeconds(5))) {
      guard.claim(hold); // before the first read; earlier holders are refused from here on
      guard.run(hold, GuardedWrite.put("stock/42", "17")); // checked and written in one step
      System.out.println("written");
    }
    // endregion
  }
}
