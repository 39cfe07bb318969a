package io.holdfast.redis.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sockets of one user, from before they are connected. Closing them, from any thread, ends
 * whatever they are doing, and there are no more.
 */
final class Sockets implements AutoCloseable {

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  void add(Socket socket) throws SocketException {
    open.add(socket);
    if (closed) {
      cut(socket);
      throw new SocketException("closed by this client");
    }
  }

  void cut(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is broken already, which is what was wanted.
      open.remove(socket);
    }
  }

  /** Ends those that are open now; there may be others later. */
  void cutAll() {
    open.forEach(this::cut);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cutAll();
  }
}
