package io.holdfast.jdbc;

import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Engines as a client opens them. */
public final class Engines {

  private Engines() {}

  /** The engine of an address, with the usual settings. */
  public static LockEngine open(String uri) {
    return new JdbcEngineProvider().open(uri, settings());
  }

  /** What a client with default options tells an engine. */
  public static Settings settings() {
    return new Settings(
        Duration.ofSeconds(30),
        Duration.ofSeconds(2),
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }
}
