package io.holdfast.rig;

import java.net.Socket;

/** Whether a server that was just started answers already. */
@FunctionalInterface
public interface ReadyCheck {
  /**
   * Looks once and answers soon; an exception means "not yet".
   *
   * @param pid the process that was started: a check that can should see that it is this very
   *     process that answers, not a stranger on the same port
   */
  boolean isReady(Place place, long pid) throws Exception;

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
