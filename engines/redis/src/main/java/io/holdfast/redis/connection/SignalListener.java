package io.holdfast.redis.connection;

import java.util.List;

/**
 * Receives what arrives over a {@link Subscription}, on its threads; must not block.
 *
 * <p>Signals that were sent between {@link #lost} and {@link #armed} are lost.
 */
public interface SignalListener {

  /** A message arrived. */
  void message(String channel, String payload);

  /** The server has confirmed the channel: messages sent from now on arrive. */
  void armed(String channel);

  /**
   * A key of a watch may have changed; it is no longer watched until the watch is added again.
   *
   * @param keys the keys that may have changed; empty if every key may
   */
  default void changed(List<String> keys) {}

  /** The connection of the channel is gone; it is being replaced. */
  void lost(String channel);

  /**
   * The server refuses the subscription, for example for lack of rights; it is asked again from
   * time to time, until {@link #armed}.
   *
   * @param why the server's message
   */
  default void refused(String why) {}
}
