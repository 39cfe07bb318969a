package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.redis.RedisEngine;
import java.time.Duration;
import redis.clients.jedis.RedisClient;

/** Locks in Redis: by address, and over a client that the program has already. */
public final class RedisLocks {

  private RedisLocks() {}

  /**
   * Runs it.
   *
   * @param args the address of a server, such as {@code redis://localhost:6379}
   */
  public static void main(String[] args) throws InterruptedException {
    String address = args[0];
    // region docs
    try (var holdfast = Holdfast.connect(address); // redis://localhost:6379
        var hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("held: " + hold.isHeld());
    }

    RedisClient jedis = RedisClient.create(address);
    try (Holdfast holdfast = Holdfast.open(RedisEngine.over(jedis), HoldfastOptions.DEFAULTS);
        Hold hold = holdfast.lock("orders/42").acquire(Duration.ofSeconds(5))) {
      System.out.println("over a client of ours: " + hold.isHeld());
    }
    jedis.close(); // closing Holdfast has left it open
    // endregion
  }
}
