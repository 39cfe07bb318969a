package io.holdfast.rig.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** One command to a Redis server and its reply, over a connection of its own. */
final class RespExchange {
  private RespExchange() {}

  /** As {@link RespConnection#call}, to a server that lets everybody in. */
  static String call(InetSocketAddress server, Duration timeout, String... command)
      throws IOException {
    return call(server, timeout, RedisAccess.OPEN, command);
  }

  /**
   * As {@link RespConnection#call}.
   *
   * @param timeout for the connect and for every read
   */
  static String call(
      InetSocketAddress server, Duration timeout, RedisAccess access, String... command)
      throws IOException {
    try (RespConnection connection = RespConnection.open(server, timeout, access)) {
      return connection.call(command);
    }
  }
}
