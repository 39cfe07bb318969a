package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedlockEngine;
import io.holdfast.spi.EngineException;
import java.time.Duration;

/** Redlock: a mutex that more than half of several independent Redis servers agree on. */
public final class RedlockLocks {

  private RedlockLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of the servers, such as {@code redlock://redis1,redis2,redis3}
   */
  public static void main(String[] args) throws InterruptedException, EngineException {
    String address = args[0];
    // region docs
    // Once, while the servers are new: otherwise nobody gets in until they have run for one lease.
    RedlockEngine.init(RedisOptions.of(address)); // redlock://redis1:6379,redis2:6379,redis3:6379

    try (Holdfast holdfast = Holdfast.connect(address);
        Holdfast other = Holdfast.connect(address)) {
      long first;
      try (Hold hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
        first = hold.token();
        System.out.println("more than half agree: " + hold.isHeld());
        boolean in = other.lock("orders/42").tryAcquire().isPresent();
        System.out.println("another client gets in: " + in);
      }
      try (Hold hold = other.lock("orders/42").acquire(Duration.ofSeconds(5))) {
        System.out.println("the next token is larger: " + (hold.token() > first));
      }
      try {
        holdfast.semaphore("printers", 3).tryAcquire();
      } catch (LockRefusedException e) {
        System.out.println("a majority counts no permits");
      }
    }
    // endregion
  }
}
