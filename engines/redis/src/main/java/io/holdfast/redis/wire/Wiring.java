package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.List;

/** One store: where its servers are and how they are reached. Any thread may use it. */
public interface Wiring extends AutoCloseable {

  /**
   * Opens the connection of one lane.
   *
   * @throws EngineException.NotDone when no server can be reached
   * @throws EngineException.Refused when the server must not be used
   */
  Wire connect() throws EngineException;

  /**
   * Opens the signals of this store: one connection to each server that has a channel. It heals by
   * itself until it is closed; the listener hears of every gap.
   */
  Subscription subscribe(SignalListener listener);

  /**
   * Opens the signals of channels that belong to no slot: one connection, to any server. Otherwise
   * as {@link #subscribe}.
   */
  default Subscription subscribeToAny(SignalListener listener) {
    return subscribe(listener);
  }

  /** A connection to every master, for looking through all keys. */
  List<Wire> masters() throws EngineException;

  /** Whether keys are spread over slots, so that a channel must share the tag of its keys. */
  boolean isCluster();

  /** Whether a call may only have keys of one slot. */
  default boolean isSpread() {
    return isCluster();
  }

  /** Adds a listener that is told when another server has become the master; must not block. */
  default void onMasterReplaced(Runnable listener) {}

  /** The address for errors and listings, without secrets. */
  String address();

  /** Ends what the wiring itself has open; wires and subscriptions are closed by their users. */
  @Override
  void close();
}
