package io.holdfast.remote;

import io.holdfast.HoldfastOptions;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Servers and clients as a program has them, with the leases of the kits. */
public final class RemoteStore {

  /** Any free port, and the shortest leases that clients can have. */
  static final ServerOptions OPTIONS =
      ServerOptions.DEFAULTS.withPort(0).withLeaseFloor(HoldfastOptions.LEASE_FLOOR);

  private RemoteStore() {}

  static LockServer serve(String store) throws IOException {
    return LockServer.start(store, OPTIONS);
  }

  static LockEngine open(String uri) {
    return new RemoteEngineProvider().open(uri, settings(Duration.ofSeconds(2)));
  }

  static Settings settings(Duration operationTimeout) {
    return new Settings(
        Duration.ofSeconds(30),
        operationTimeout,
        0,
        System::nanoTime,
        () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  /**
   * The store behind an address of servers, for the kit.
   *
   * @param silentWaiterLeases as the engine behind the server has it
   */
  static EngineUnderTest behind(String uri, int silentWaiterLeases) {
    return new EngineUnderTest() {
      @Override
      public LockEngine connect() {
        return open(uri);
      }

      @Override
      public int silentWaiterLeases() {
        return silentWaiterLeases;
      }
    };
  }
}
