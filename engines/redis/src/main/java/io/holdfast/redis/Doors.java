package io.holdfast.redis;

import io.holdfast.redis.wire.Wire;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Where an inspector gets connections for one look; it closes them. Any thread may ask.
 *
 * @param closed whether the engine is closed, and with it the doors
 */
record Doors(Wiring wiring, BooleanSupplier closed, Refusals refusals) {

  /** A connection for scripts. */
  Wire open() throws EngineException {
    requireOpen();
    return wiring.connect();
  }

  /** A connection to every master. */
  List<Wire> openAll() throws EngineException {
    requireOpen();
    return wiring.masters();
  }

  private void requireOpen() throws EngineException {
    if (closed.getAsBoolean()) {
      throw refusals.closed();
    }
  }
}
