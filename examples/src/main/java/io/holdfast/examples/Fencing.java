package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;

/** A holder that slept too long writes, and is refused by what it writes to. */
public final class Fencing {

  private Fencing() {}

  public static void main(String[] args) throws InterruptedException {
    // Not renewed, so that sleeping stands for a process that was stopped.
    String store = "memory:fencing?holdfast.fixedLease=2s";
    try (Holdfast slow = Holdfast.connect(store);
        Holdfast quick = Holdfast.connect(store)) {
      // region docs
      MemoryFenceGuard guard = new MemoryFenceGuard(); // lives with the data, not with the lock

      Hold first = slow.lock("report").acquire();
      first.onLoss(loss -> System.out.println("told of the loss: " + loss.cause()));
      guard.claim(first); // claim before the first read
      Thread.sleep(2_300); // a long pause, in which the lease ends

      Hold second = quick.lock("report").acquire();
      guard.claim(second);
      System.out.println("second token is larger: " + (second.token() > first.token()));

      System.out.println("first still believes: " + first.isHeld());
      try {
        guard.claim(first); // claim again when writing
        System.out.println("written twice");
      } catch (StaleTokenException e) {
        System.out.println("first is refused");
      }
      second.close();
      // endregion
    }
  }
}
