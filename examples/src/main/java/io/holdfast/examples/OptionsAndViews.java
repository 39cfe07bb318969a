package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import java.time.Duration;

/** How a client is set up, and how a view of it behaves otherwise. */
public final class OptionsAndViews {

  private OptionsAndViews() {}

  public static void main(String[] args) throws InterruptedException {
    // region docs
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withNamespace("billing") // keeps the names of applications apart
            .withApp("invoicer") // who it is, in errors and listings
            .withLease(Duration.ofSeconds(10)); // how long a crash blocks the others

    // What the address says goes first: here the lease is 20 seconds.
    try (Holdfast holdfast = Holdfast.connect("memory:?holdfast.lease=20s", options)) {
      holdfast.require(Guarantee.FENCING, Guarantee.FIFO); // fails now, not in the night

      Holdfast fair = holdfast.with(o -> o.withOrder(Order.FIFO));
      try (Hold hold = fair.lock("invoice-numbers").acquire(Duration.ofSeconds(5))) {
        System.out.println("first come, first served: " + hold.name());
      }

      Holdfast brief = holdfast.with(o -> o.withFixedLease(Duration.ofSeconds(3)));
      try (Hold hold = brief.lock("nightly-export").acquire(Duration.ofSeconds(5))) {
        hold.extend(Duration.ofSeconds(5)); // nothing renews a fixed lease but this
        System.out.println("more than 4 s left: " + (hold.remaining().toSeconds() >= 4));
      }
    }
    // endregion
    try (Holdfast holdfast = Holdfast.connect("memory:?holdfast.lease=20s", options)) {
      System.out.println("lease: " + holdfast.options().lease());
    }
  }
}
