package io.holdfast.redis.admin;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Opens connections for the inspector and for counters, as long as the engine is open. Thread-safe.
 *
 * @param closed whether the engine is closed
 */
public record AdminConnections(ServerTopology topology, BooleanSupplier closed) {

  /** Opens a connection for scripts; the caller closes it. */
  LaneConnection open() throws EngineException {
    requireOpen();
    return topology.connect();
  }

  /** Opens a connection to every master; the caller closes them. */
  List<LaneConnection> openAll() throws EngineException {
    requireOpen();
    return topology.masters();
  }

  private void requireOpen() throws EngineException {
    if (closed.getAsBoolean()) {
      throw new Refusals(topology.address()).closed();
    }
  }
}
