package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * How a {@link SubscriberThread} connects and listens.
 *
 * @param silence after which the server is pinged; after twice as long the connection counts as
 *     dead
 * @param without what happens while there are no signals, for the log
 */
record SubscriberSettings(
    Style style,
    Opener opener,
    Duration silence,
    SignalListener listener,
    String without,
    Placement placement) {

  /** What happens while records are not watched. */
  static final String NEXT_RENEWAL = "deletions by hand are noticed at the next renewal";

  /** What happens while there are no wake-ups. */
  static final String POLL = "waiters poll";

  SubscriberSettings(
      Style style, Opener opener, Duration silence, SignalListener listener, String without) {
    this(style, opener, silence, listener, without, new Placement() {});
  }

  /**
   * How channels are subscribed to.
   *
   * @param off ends a channel; null if nothing has to be sent for that
   * @param atOnce how many channels share a command
   * @param look for watches: the script whose keys the server tracks; see {@link
   *     ServerTopology#watch}
   */
  record Style(Command on, @Nullable Command off, int atOnce, @Nullable Script look) {

    /** Every server has every channel. */
    static final Style PLAIN = new Style(Command.SUBSCRIBE, Command.UNSUBSCRIBE, 512, null);

    /** A channel is where its slot is; channels of two slots cannot share a command. */
    static final Style SHARDED = new Style(Command.SSUBSCRIBE, Command.SUNSUBSCRIBE, 1, null);

    /** A channel is a watch, and is where its keys are. */
    static Style watching(Script look) {
      return new Style(Command.EVAL, null, 1, look);
    }

    boolean watches() {
      return look != null;
    }
  }

  /** Opens the connection to listen on. */
  interface Opener {
    RedisConnection open(OpenSockets sockets) throws EngineException;
  }

  /**
   * Decides where channels belong. Called on the listening thread, with no lock held; may block for
   * I/O.
   */
  interface Placement {

    /** Channels of this thread may have moved: remove those that belong elsewhere. */
    default void review(SubscriberThread thread) {}

    /** The server reports that it does not have a slot. */
    default void moved(SubscriberThread thread, JedisRedirectionException where) {}
  }
}
