package io.holdfast.examples;

import io.holdfast.Holdfast;
import java.time.Duration;

/** The first program: one lock, one guarded write. */
public final class QuickStart {

  private QuickStart() {}

  public static void main(String[] args) throws InterruptedException {
    Orders orders = new Orders();
    String order = "two apples";

    // region docs
    try (var holdfast = Holdfast.connect("memory:");
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      orders.save(order, hold.token()); // the guard refuses older tokens
    } // released here; throws if the lock was lost
    // endregion
  }

  /** What is protected: it remembers the newest token and takes nothing from older ones. */
  private static final class Orders {
    private long newest;

    void save(String order, long token) {
      if (token < newest) {
        throw new IllegalStateException("stale token: " + token);
      }
      newest = token;
      System.out.println("saved: " + order);
    }
  }
}
