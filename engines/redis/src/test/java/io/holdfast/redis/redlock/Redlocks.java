package io.holdfast.redis.redlock;

import io.holdfast.redis.Engines;
import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedlockEngine;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Redlock engines over masters of the rig. */
public final class Redlocks {

  private Redlocks() {}

  /** Masters that may vote at once, as after a first start. */
  public static RedisMasters masters(int count) {
    RedisMasters masters = RedisMasters.start(count);
    vouch(masters);
    return masters;
  }

  /** Says of the processes that run now that they have forgotten nothing. */
  public static void vouch(RedisMasters masters) {
    try {
      RedlockEngine.init(options(masters));
    } catch (EngineException e) {
      throw new IllegalStateException("masters cannot be initialised", e);
    }
  }

  public static String uri(RedisMasters masters) {
    return "redlock://" + masters.addresses();
  }

  public static RedisOptions options(RedisMasters masters) {
    return RedisOptions.of(uri(masters));
  }

  public static RedlockEngine open(RedisMasters masters) {
    return open(options(masters));
  }

  public static RedlockEngine open(RedisOptions options) {
    return RedlockEngine.open(options, Engines.settings());
  }

  /** With another wall clock of the client. */
  public static RedlockEngine open(RedisOptions options, LongSupplier epochMicros) {
    Settings usual = Engines.settings();
    return RedlockEngine.open(
        options,
        new Settings(usual.lease(), usual.operationTimeout(), 0, usual.nanoTime(), epochMicros));
  }

  /** With another usual lease, which is how long restarted masters do not vote. */
  public static RedlockEngine open(RedisOptions options, Duration lease) {
    Settings usual = Engines.settings();
    return RedlockEngine.open(
        options,
        new Settings(lease, usual.operationTimeout(), 0, usual.nanoTime(), usual.epochMicros()));
  }
}
