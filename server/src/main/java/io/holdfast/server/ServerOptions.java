package io.holdfast.server;

import io.holdfast.HoldfastOptions;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.Bounds;
import io.holdfast.spi.wire.Wire;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a server runs.
 *
 * @param host the address to listen at: a loopback address, because clients are not authenticated
 * @param port to listen at, or 0 for any that is free
 * @param leaseFloor shorter leases are refused
 * @param generation of tokens, unless a client may raise it and does
 * @param keyFile the key of the tickets of clients that are not remote engines, made if it is not
 *     there; servers of one service share it. Empty: such tickets are of use at one server, while
 *     it runs
 */
public record ServerOptions(
    String host, int port, Duration leaseFloor, int generation, Optional<Path> keyFile) {

  /** Port 7420 of the loopback address, leases of 5 s at least. */
  public static final ServerOptions DEFAULTS =
      new ServerOptions("127.0.0.1", Wire.PORT, Duration.ofSeconds(5), 0, Optional.empty());

  private static final int LAST_PORT = 65_535;

  public ServerOptions {
    Bounds.require("port", port, 0, LAST_PORT);
    Bounds.require(
        "leaseFloor", leaseFloor, HoldfastOptions.LEASE_FLOOR, HoldfastOptions.LEASE_CEILING);
    Bounds.require("generation", generation, 0, Token.MAX_GENERATION);
    requireLoopback(host);
  }

  private static void requireLoopback(String host) {
    try {
      if (InetAddress.getByName(host).isLoopbackAddress()) {
        return;
      }
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("host is not known: host=" + host, e);
    }
    throw new IllegalArgumentException(
        "host must be a loopback address, because the server does not authenticate its clients:"
            + " host="
            + host);
  }

  /** Returns a copy with another host. */
  public ServerOptions withHost(String value) {
    return new ServerOptions(value, port, leaseFloor, generation, keyFile);
  }

  /** Returns a copy with another port. */
  public ServerOptions withPort(int value) {
    return new ServerOptions(host, value, leaseFloor, generation, keyFile);
  }

  /** Returns a copy with another shortest lease. */
  public ServerOptions withLeaseFloor(Duration value) {
    return new ServerOptions(host, port, value, generation, keyFile);
  }

  /** Returns a copy with another generation. */
  public ServerOptions withGeneration(int value) {
    return new ServerOptions(host, port, leaseFloor, value, keyFile);
  }

  /** Returns a copy with a key file. */
  public ServerOptions withKeyFile(Path value) {
    return new ServerOptions(host, port, leaseFloor, generation, Optional.of(value));
  }
}
