package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Outcome;
import java.time.Duration;

/** Releasing a lock that nobody else gets for a while, even if this program ends. */
public final class KeptName {

  private KeptName() {}

  public static void main(String[] args) throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      Hold job = holdfast.lock("jobs/{}", "cleanup").acquire(Duration.ofSeconds(5));
      Outcome outcome = job.release(Duration.ofMinutes(10)); // nobody gets in for ten minutes
      System.out.println("kept by the store: " + (outcome == Outcome.RELEASED));
      System.out.println("free: " + holdfast.lock("jobs/{}", "cleanup").tryAcquire().isPresent());
      // endregion
    }
  }
}
