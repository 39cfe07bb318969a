package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastClosedException;
import java.time.Duration;

/** Taking no new work before a shutdown, and waiting for what is held. */
public final class Draining {

  private Draining() {}

  public static void main(String[] args) throws InterruptedException {
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      Hold last = holdfast.lock("orders/{}", 42).acquire(Duration.ofSeconds(5));
      System.out.println("held: " + holdfast.stats().held());
      boolean idle = holdfast.drain(Duration.ZERO); // no new work from here on
      System.out.println("nothing is held: " + idle);
      try {
        holdfast.lock("orders/{}", 43).tryAcquire();
      } catch (HoldfastClosedException e) {
        System.out.println("no new work");
      }
      last.release();
      System.out.println("nothing is held: " + holdfast.drain(Duration.ofSeconds(20)));
      // endregion
    }
  }
}
