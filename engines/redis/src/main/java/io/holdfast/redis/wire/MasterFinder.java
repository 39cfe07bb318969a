package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;

/** Says where the master is at this moment. Any thread may ask. */
interface MasterFinder {

  /** Blocks for I/O, over these sockets, where somebody has to be asked. */
  Server find(Sockets sockets, Deadline deadline) throws EngineException;

  /** What was found was not a master that could be used: look elsewhere next time, if possible. */
  default void doubt() {}
}
