package io.holdfast.redis.wire;

/** The channels that are listened to. Any thread may use it; nothing here blocks for I/O. */
public interface Subscription extends AutoCloseable {

  /** Listens to a channel; {@link SignalListener#armed} is told when the server has confirmed. */
  void add(String channel);

  /** Stops listening to a channel. */
  void remove(String channel);

  /** Ends it, with its connections and threads. */
  @Override
  void close();
}
