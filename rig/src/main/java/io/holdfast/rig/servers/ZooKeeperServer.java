package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A ZooKeeper server of the machine's own package, on a free loopback port. */
public final class ZooKeeperServer implements AutoCloseable {

  private final ServerProcess process;

  ZooKeeperServer(ServerProcess process) {
    this.process = process;
  }

  /** Starts a server by itself, and returns when it accepts requests. */
  public static ZooKeeperServer start() {
    return start(ZooKeeperServerOptions.PLAIN);
  }

  /**
   * Starts a server by itself with these options, and returns when it accepts requests.
   *
   * @throws IllegalStateException as {@link ServerProcess#start}
   */
  public static ZooKeeperServer start(ZooKeeperServerOptions options) {
    return new ZooKeeperServer(ServerProcess.start(options.spec()));
  }

  /** The process: to kill, pause, stop and start it again. */
  public ServerProcess process() {
    return process;
  }

  /** The port that clients connect to. */
  public int port() {
    return process.port();
  }

  /** The port that clients with TLS connect to. */
  public int tlsPort() {
    return process.place().port(ZooKeeperServerOptions.TLS_PORT);
  }

  /** Host and port, as a client's connect string has them. */
  public String address() {
    return "127.0.0.1:" + port();
  }

  /** The address as clients of Holdfast write it. */
  public String uri() {
    return "zookeeper://" + address();
  }

  /**
   * Asks with one of the four letter words, bounded to 2 s.
   *
   * @throws UncheckedIOException when there is no reply
   */
  public String ask(String word) {
    try {
      return ZooKeeperWords.ask(process.address(), word);
    } catch (IOException e) {
      throw new UncheckedIOException(process + ": " + word, e);
    }
  }

  /** One value of {@code mntr}, such as {@code zk_packets_received}. */
  public long number(String field) {
    String start = field + "\t";
    return ask("mntr")
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> Double.valueOf(line.substring(start.length()).strip()).longValue())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + field + " in mntr of " + process));
  }

  /** {@code standalone}, {@code leader}, {@code follower}, or empty while it serves nobody. */
  public String mode() {
    String start = "Mode: ";
    try {
      return ZooKeeperWords.ask(process.address(), "srvr")
          .lines()
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** Stops it and leaves nothing behind; idempotent. */
  @Override
  public void close() {
    process.close();
  }

  @Override
  public String toString() {
    return process.toString();
  }
}
