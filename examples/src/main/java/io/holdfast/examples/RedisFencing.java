package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.redis.RedisFenceGuard;

/** A late writer is refused by the Redis that it writes to. */
public final class RedisFencing {

  private RedisFencing() {}

  /**
   * Runs it.
   *
   * @param args the address of a server, such as {@code redis://localhost:6379}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    try (Holdfast holdfast = Holdfast.connect(address)) {
      // region docs
      RedisFenceGuard guard = RedisFenceGuard.connect(address);
      Hold first = holdfast.lock("report").acquire();
      guard.claim(first); // before the first read; earlier holders are refused from here on
      first.close();

      Hold second = holdfast.lock("report").acquire();
      guard.claim(second);
      try {
        guard.claim(first); // a late writer
      } catch (StaleTokenException e) {
        System.out.println("the late writer is refused");
      }
      // endregion
      second.close();
      guard.close();
    }
  }
}
