package io.holdfast.examples;

import io.holdfast.Holdfast;
import java.time.Duration;

/** Locks in a database. */
public final class JdbcLocks {

  private JdbcLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of a database, such as {@code jdbc:postgresql://localhost/app?user=app}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    // region docs
    try (var holdfast = Holdfast.connect(address); // jdbc:postgresql://localhost/app?user=app
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }
    // endregion
  }
}
