package io.holdfast.jdbc.connectionlocks;

import io.holdfast.HoldfastOptions;
import io.holdfast.jdbc.JdbcEngineProvider;
import io.holdfast.jdbc.SilentClients;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.conformance.EngineConformanceKit;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The kit on rows that H2 keeps locked, in memory. H2 does not end what is silent, and a client
 * that dies with its process takes the database with it: here a dead client's connections end a
 * lease later.
 */
final class H2RowConformanceIT extends EngineConformanceKit {

  @Override
  public EngineUnderTest open() {
    return new EngineUnderTest() {
      @Override
      public LockEngine connect() {
        return new JdbcEngineProvider()
            .open(
                "jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1?holdfast.mode=row&holdfast.rowConnections=120",
                SilentClients.settings());
      }

      @Override
      public void kill(LockEngine engine) {
        long lease = HoldfastOptions.LEASE_FLOOR.toMillis();
        CompletableFuture.delayedExecutor(lease, TimeUnit.MILLISECONDS).execute(engine::close);
      }
    };
  }
}
