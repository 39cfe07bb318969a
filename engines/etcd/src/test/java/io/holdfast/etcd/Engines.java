package io.holdfast.etcd;

import io.holdfast.etcd.connection.Members;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Engines as a client opens them. */
public final class Engines {

  private Engines() {}

  /** The engine of an address, with the default settings. */
  public static LockEngine open(String uri) {
    return new EtcdEngineProvider().open(uri, settings());
  }

  /** One that also waits for a server on a machine that is busy with something else. */
  public static LockEngine patient(String uri) {
    Settings usual = settings();
    return new EtcdEngineProvider()
        .open(
            uri,
            new Settings(
                usual.lease(),
                Duration.ofSeconds(20),
                usual.lanes(),
                usual.nanoTime(),
                usual.epochMicros()));
  }

  /** The store at an address, for the kit. */
  static EngineUnderTest store(String uri) {
    return new EngineUnderTest() {
      @Override
      public LockEngine connect() {
        return open(uri);
      }

      /**
       * Waiters are attached to the lease of their client, which removes them after four leases.
       */
      @Override
      public int silentWaiterLeases() {
        return 4;
      }
    };
  }

  /** The members of an address, for tests that make calls of their own. */
  public static Members members(String uri, Duration timeout) {
    return EtcdOptions.of(uri).members(Members.Timing.of(Duration.ofSeconds(30), timeout));
  }

  /** The settings of a client with default options. */
  public static Settings settings() {
    return new Settings(
        Duration.ofSeconds(30),
        Duration.ofSeconds(2),
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }
}
