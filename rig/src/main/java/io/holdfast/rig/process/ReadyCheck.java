package io.holdfast.rig.process;

import java.net.Socket;

/** Checks whether a new server accepts requests. */
@FunctionalInterface
public interface ReadyCheck {
  /**
   * Checks once and returns soon; an exception means "not yet".
   *
   * @param pid the process that was started: a check that can should see that it is this very
   *     process that replies, not a stranger on the same port
   */
  boolean isReady(ServerLocation place, long pid) throws Exception;

  /** Ready when the port accepts a connection: enough for servers that bind last. */
  static ReadyCheck acceptsConnections() {
    return (place, pid) -> {
      try (Socket socket = new Socket()) {
        socket.connect(place.address(), 500);
        return true;
      }
    };
  }
}
