package io.holdfast.redis.connection;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sockets of one connection, from before they are connected. Thread-safe.
 *
 * <p>Closing ends whatever they are doing, and prevents further ones.
 */
public final class OpenSockets implements AutoCloseable {

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
      // It is broken already.
      open.remove(socket);
    }
  }

  /** Closes the open sockets; there may be others later. */
  void cutAll() {
    open.forEach(this::cut);
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cutAll();
  }
}
