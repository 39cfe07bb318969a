package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * How a {@link SubscriberThread} listens.
 *
 * @param silence after which the server is asked for a sign of life, and after twice of which the
 *     connection counts as dead
 * @param without what happens while there are no signals, for the log
 */
record Listening(
    Style style,
    Opener opener,
    Duration silence,
    SignalListener listener,
    String without,
    Placement placement) {

  /** What happens while nobody can listen for wake-ups. */
  static final String POLL = "waiters poll";

  Listening(Style style, Opener opener, Duration silence, SignalListener listener, String without) {
    this(style, opener, silence, listener, without, new Placement() {});
  }

  /** How channels are subscribed to. */
  enum Style {
    /** Every server has every channel. */
    PLAIN(Command.SUBSCRIBE, Command.UNSUBSCRIBE, 512),
    /** A channel is where its slot is; channels of two slots cannot share a command. */
    SHARDED(Command.SSUBSCRIBE, Command.SUNSUBSCRIBE, 1);

    final Command on;
    final Command off;
    final int atOnce;

    Style(Command on, Command off, int atOnce) {
      this.on = on;
      this.off = off;
      this.atOnce = atOnce;
    }
  }

  /** Opens the connection to listen on. */
  interface Opener {
    Link open(Sockets sockets) throws EngineException;
  }

  /** Where channels belong. Told on the listening thread, with no lock held; may block for I/O. */
  interface Placement {

    /** Something has happened to channels of this thread: take away those that belong elsewhere. */
    default void review(SubscriberThread thread) {}

    /** The server says that it does not have a slot. */
    default void moved(SubscriberThread thread, JedisRedirectionException where) {}
  }
}
