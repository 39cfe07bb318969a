package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.Optional;

/** One store: where its servers are and how they are reached. Thread-safe. */
public interface ServerTopology extends AutoCloseable {

  /** Separates the parts of a watch's name. */
  char WATCH_SEPARATOR = '\0';

  /**
   * Opens the connection of one lane.
   *
   * @throws EngineException.NotDone when no server can be reached
   * @throws EngineException.Refused when the server must not be used
   */
  LaneConnection connect() throws EngineException;

  /**
   * Opens the signals of this store: one connection to each server that has a channel. It
   * reconnects by itself until it is closed; the listener is notified of every gap.
   */
  Subscription subscribe(SignalListener listener);

  /**
   * Opens the signals of channels that belong to no slot: one connection, to any server. Otherwise
   * as {@link #subscribe}.
   */
  default Subscription subscribeToAny(SignalListener listener) {
    return subscribe(listener);
  }

  /**
   * Opens watches of keys, over one more connection to each server that has some of them. A watch
   * is added and removed like a channel; its name is an argument and keys of one slot, with {@link
   * #WATCH_SEPARATOR} between them. The server runs the script with these keys, the watch's whole
   * name and the argument when the watch is added and after every gap. The script returns three
   * texts: {@code seen} or {@code gone}, the watch's name, and the payload. {@code gone} is
   * delivered as a message, and the first change of a key afterwards as {@link
   * SignalListener#changed}.
   *
   * <p>A server or proxy that cannot do this is asked again from time to time.
   *
   * @param look only reads
   * @return empty if the connections belong to a caller-supplied client
   */
  default Optional<Subscription> watch(Script look, SignalListener listener) {
    return Optional.empty();
  }

  /** Opens a connection to every master, for scanning all keys. */
  List<LaneConnection> masters() throws EngineException;

  /**
   * Returns whether keys are spread over slots, so that a channel must share the tag of its keys.
   */
  boolean isCluster();

  /** Returns whether a call may only have keys of one slot. */
  default boolean isSpread() {
    return isCluster();
  }

  /** Adds a listener that runs when another server has become the master; it must not block. */
  default void onMasterReplaced(Runnable listener) {}

  /** Returns the address for errors and listings, without secrets. */
  String address();

  /**
   * Closes what the topology itself has open; connections and subscriptions are closed by their
   * users.
   */
  @Override
  void close();
}
