package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import org.jspecify.annotations.Nullable;

/** Finds the master, and notices when another server takes over. Thread-safe. */
interface MasterFinder extends AutoCloseable {

  /** Returns the present master. May block for I/O, over these sockets. */
  Server find(OpenSockets sockets, Deadline deadline) throws EngineException;

  /** Returns whether another server has taken over: connections to this one must be dropped. */
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

  /** Adds a listener that runs when another server has taken over; it must not block. */
  default void onReplaced(Runnable listener) {}

  @Override
  default void close() {}
}
