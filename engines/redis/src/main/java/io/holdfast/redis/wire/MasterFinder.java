package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import org.jspecify.annotations.Nullable;

/** Finds the master, and notices when another server takes over. Any thread may use it. */
interface MasterFinder extends AutoCloseable {

  /** Returns the present master. Blocks for I/O, over these sockets, where somebody is asked. */
  Server find(Sockets sockets, Deadline deadline) throws EngineException;

  /** Whether another server has taken over: connections to this one must be dropped. */
  default boolean isReplaced(Server master) {
    return false;
  }

  /**
   * Returns why nothing new may be granted by this server, or null: another one has taken over, or
   * is about to. What it grants may then be unknown to the next master.
   */
  default @Nullable String objection(Server master) {
    return null;
  }

  /** Adds a listener that is told when another server has taken over; it must not block. */
  default void onReplaced(Runnable listener) {}

  @Override
  default void close() {}
}
