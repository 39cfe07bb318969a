package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.spi.Owner;
import java.time.Duration;
import java.util.Optional;

/** Three ways to wait: as long as it takes, for a while, not at all. */
public final class Timeouts {

  private Timeouts() {}

  public static void main(String[] args) throws InterruptedException {
    HoldfastOptions options = HoldfastOptions.DEFAULTS;
    try (Holdfast other = Holdfast.connect("memory:timeouts", options.withApp("nightly-job"));
        Holdfast holdfast = Holdfast.connect("memory:timeouts", options.withApp("shop"))) {
      Hold theirs = other.lock("stock").acquire();

      // region docs
      DistributedLock lock = holdfast.lock("stock");

      // Ask once. Empty means busy, and nothing else: trouble with the store is an exception.
      Optional<Hold> now = lock.tryAcquire();
      System.out.println("at once: " + now.isPresent());

      // Wait for a while.
      Optional<Hold> soon = lock.tryAcquire(Duration.ofMillis(100));
      System.out.println("within 100 ms: " + soon.isPresent());

      // The same with an exception that says who is in the way.
      try (Hold hold = lock.acquire(Duration.ofMillis(100))) {
        System.out.println("got " + hold.name());
      } catch (LockTimeoutException e) {
        System.out.println("held by " + e.holder().map(Owner::app).orElse("nobody we know"));
      }

      theirs.release();

      // Run something under the lock.
      int items = lock.call(Duration.ofSeconds(1), hold -> 41 + 1);
      System.out.println("items: " + items);
      // endregion
    }
  }
}
