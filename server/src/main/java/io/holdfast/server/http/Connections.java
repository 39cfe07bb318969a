package io.holdfast.server.http;

import io.holdfast.World;
import io.holdfast.spi.wire.Hello;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** The WebSockets that are open now, and what they share. */
final class Connections {

  static final Duration PING = Duration.ofSeconds(20);

  /** A connection without any message, not even the reply to a ping. */
  static final Duration SILENCE = Duration.ofSeconds(45);

  private final Supplier<Hello> hello;
  private final ExecutorService queries;
  private final World world;
  private final Set<ConnectSocket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<VerbBatch> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean isStopping;

  /**
   * Begins to ping.
   *
   * @param hello what each connection is told first
   * @param queries runs what may block
   */
  Connections(Supplier<Hello> hello, ExecutorService queries, World world) {
    this.hello = hello;
    this.queries = queries;
    this.world = world;
    schedulePing();
  }

  private void schedulePing() {
    world.schedule(
        PING.toNanos(),
        () -> {
          if (!isStopping) {
            try {
              sockets.forEach(ConnectSocket::ping);
            } finally {
              schedulePing();
            }
          }
        });
  }

  Hello hello() {
    return hello.get();
  }

  /** Returns the time by which silence is measured. */
  long nanoTime() {
    return world.nanoTime();
  }

  void run(Runnable query) {
    queries.execute(query);
  }

  void opened(ConnectSocket socket) {
    sockets.add(socket);
    if (isStopping) {
      socket.closeAfterReplies();
    }
  }

  void closed(ConnectSocket socket) {
    sockets.remove(socket);
  }

  void started(VerbBatch batch) {
    waiting.add(batch);
  }

  void finished(VerbBatch batch) {
    waiting.remove(batch);
  }

  /** Sends replies that wait for others of their message. Called every 50 ms. */
  void flush() {
    waiting.removeIf(VerbBatch::flushAndIsDone);
  }

  int count() {
    return sockets.size();
  }

  /** Closes each connection when it has the replies to what it has sent. */
  void closeAfterReplies() {
    isStopping = true;
    sockets.forEach(ConnectSocket::closeAfterReplies);
  }
}
