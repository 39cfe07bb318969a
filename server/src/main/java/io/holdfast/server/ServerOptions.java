package io.holdfast.server;

import io.holdfast.HoldfastOptions;
import io.holdfast.server.settings.Limits;
import io.holdfast.server.settings.TlsSettings;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.Bounds;
import io.holdfast.spi.wire.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a server runs.
 *
 * @param host the address to listen at: a loopback address, unless there are {@code tls} and {@code
 *     authFile}
 * @param port to listen at, or 0 for any that is free
 * @param leaseFloor shorter leases are refused
 * @param generation of tokens, unless a client may raise it and does
 * @param tls the server's certificate; empty: plain HTTP
 * @param authFile clients' tokens and rights; empty: every client may do everything
 * @param limits what one client may use of the server
 * @param keyFile the key of the tickets of clients that are not remote engines, made if it is not
 *     there; servers of one service share it. Empty: such tickets are of use at one server, while
 *     it runs
 * @param auditFile where the audit is written; empty: nowhere
 */
public record ServerOptions(
    String host,
    int port,
    Duration leaseFloor,
    int generation,
    Optional<TlsSettings> tls,
    Optional<Path> authFile,
    Limits limits,
    Optional<Path> keyFile,
    Optional<Path> auditFile) {

  /** Port 7420 of the loopback address, leases of 5 s at least. */
  public static final ServerOptions DEFAULTS =
      new ServerOptions(
          "127.0.0.1",
          Wire.PORT,
          Duration.ofSeconds(5),
          0,
          Optional.empty(),
          Optional.empty(),
          Limits.DEFAULTS,
          Optional.empty(),
          Optional.empty());

  private static final int LAST_PORT = 65_535;

  public ServerOptions {
    Bounds.require("port", port, 0, LAST_PORT);
    Bounds.require(
        "leaseFloor", leaseFloor, HoldfastOptions.LEASE_FLOOR, HoldfastOptions.LEASE_CEILING);
    Bounds.require("generation", generation, 0, Token.MAX_GENERATION);
  }

  /** Returns a copy with another host. */
  public ServerOptions withHost(String value) {
    return new ServerOptions(
        value, port, leaseFloor, generation, tls, authFile, limits, keyFile, auditFile);
  }

  /** Returns a copy with another port. */
  public ServerOptions withPort(int value) {
    return new ServerOptions(
        host, value, leaseFloor, generation, tls, authFile, limits, keyFile, auditFile);
  }

  /** Returns a copy with another shortest lease. */
  public ServerOptions withLeaseFloor(Duration value) {
    return new ServerOptions(
        host, port, value, generation, tls, authFile, limits, keyFile, auditFile);
  }

  /** Returns a copy with another generation. */
  public ServerOptions withGeneration(int value) {
    return new ServerOptions(
        host, port, leaseFloor, value, tls, authFile, limits, keyFile, auditFile);
  }

  /** Returns a copy with a certificate. */
  public ServerOptions withTls(TlsSettings value) {
    return new ServerOptions(
        host,
        port,
        leaseFloor,
        generation,
        Optional.of(value),
        authFile,
        limits,
        keyFile,
        auditFile);
  }

  /** Returns a copy with an auth file. */
  public ServerOptions withAuthFile(Path value) {
    return new ServerOptions(
        host, port, leaseFloor, generation, tls, Optional.of(value), limits, keyFile, auditFile);
  }

  /** Returns a copy with other limits. */
  public ServerOptions withLimits(Limits value) {
    return new ServerOptions(
        host, port, leaseFloor, generation, tls, authFile, value, keyFile, auditFile);
  }

  /** Returns a copy with a key file. */
  public ServerOptions withKeyFile(Path value) {
    return new ServerOptions(
        host, port, leaseFloor, generation, tls, authFile, limits, Optional.of(value), auditFile);
  }

  /** Returns a copy with an audit. */
  public ServerOptions withAuditFile(Path value) {
    return new ServerOptions(
        host, port, leaseFloor, generation, tls, authFile, limits, keyFile, Optional.of(value));
  }
}
