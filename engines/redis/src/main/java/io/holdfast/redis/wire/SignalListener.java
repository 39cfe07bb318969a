package io.holdfast.redis.wire;

/**
 * Hears what comes over a {@link Subscription}, on its threads; must not block. Signals that were
 * sent between {@link #lost} and {@link #armed} are gone.
 */
public interface SignalListener {

  /** A message came. */
  void message(String channel, String payload);

  /** The server has confirmed the channel: what is sent from now on arrives. */
  void armed(String channel);

  /** The connection that carried the channel is gone; it is being made anew. */
  void lost(String channel);

  /**
   * The server says no to listening, such as for want of rights; it is asked again from time to
   * time, until {@link #armed}.
   *
   * @param why the server's words
   */
  default void refused(String why) {}
}
