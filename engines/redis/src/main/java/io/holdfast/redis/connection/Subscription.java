package io.holdfast.redis.connection;

/** The channels that a client listens to. Thread-safe; nothing here blocks for I/O. */
public interface Subscription extends AutoCloseable {

  /** Listens to a channel; {@link SignalListener#armed} is called when the server has confirmed. */
  void add(String channel);

  /** Stops listening to a channel. */
  void remove(String channel);

  /** Ends the subscription, its connections and its threads. */
  @Override
  void close();
}
