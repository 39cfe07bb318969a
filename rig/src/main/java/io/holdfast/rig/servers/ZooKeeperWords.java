package io.holdfast.rig.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The four letter words of a ZooKeeper server. */
final class ZooKeeperWords {

  private static final int BOUND = 2_000;

  private ZooKeeperWords() {}

  /** Asks over a connection of its own, bounded to 2 s. */
  static String ask(InetSocketAddress address, String word) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, BOUND);
      socket.setSoTimeout(BOUND);
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
