package io.holdfast.examples;

import io.holdfast.DistributedSemaphore;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import java.time.Duration;

/** A number of permits for everybody, which can be changed while they are in use. */
public final class Permits {

  private Permits() {}

  public static void main(String[] args) throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      DistributedSemaphore mailers = holdfast.semaphore("mailers", 2);

      try (Hold both = mailers.permits(2).acquire(Duration.ofSeconds(5))) {
        System.out.println("a third of two: " + mailers.tryAcquire().isPresent());

        mailers.resize(3); // for everybody, in one step

        DistributedSemaphore adopted = holdfast.semaphore("mailers"); // whatever number it has
        try (Hold third = adopted.acquire(Duration.ofSeconds(5))) {
          System.out.println("a third of three: " + (both.isHeld() && third.isHeld()));
        }

        try (Hold fourth = holdfast.semaphore("mailers", 2).acquire(Duration.ofSeconds(5))) {
          System.out.println("never here: " + fourth);
        } catch (LockRefusedException e) {
          System.out.println("another number is refused");
        }
      }
      // endregion
    }
  }
}
