package io.holdfast.cli.commands;

import io.holdfast.cli.ArgumentEncoding;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.cli.store.XdgFolders;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import io.holdfast.server.settings.TlsSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code server}: serves the locks of a store over HTTP until it is stopped. */
@Command(
    name = "server",
    description = {
      "Serves the locks of a store over HTTP: to programs on this machine or, with a",
      "certificate and an auth file, to others.",
      "Clients need no driver of the store: their address is http://127.0.0.1:7420.",
      "It ends with Ctrl-C or TERM, and ends nobody's hold: clients go on at another",
      "server of the same store, or here after a restart."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast server",
      "  holdfast server --store redis://db --port 7421",
      "  holdfast server --store redis://db --listen 0.0.0.0 --auth auth \\",
      "      --tls-cert server.pem --tls-key server.key --audit audit.jsonl",
      "  holdfast run --store http://127.0.0.1:7420 backup -- ./backup.sh"
    })
public final class ServerCommand implements Callable<Integer> {

  private static final String KEYSTORE_PASSWORD = "HOLDFAST_KEYSTORE_PASSWORD";

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description =
          "The address to listen at; default 127.0.0.1. Any other than loopback needs a certificate"
              + " and --auth.")
  private String host = ServerOptions.DEFAULTS.host();

  @Option(
      names = "--port",
      paramLabel = "NUMBER",
      description = "The port to listen at, or 0 for any; default 7420.")
  private int port = ServerOptions.DEFAULTS.port();

  @Option(
      names = "--lease-floor",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Refuse shorter leases; default 5s.")
  private Duration leaseFloor = ServerOptions.DEFAULTS.leaseFloor();

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The key of the tickets that other clients than Holdfast's own get; made if it is not"
              + " there. Servers of one service share it. Default: server.key, next to the user's"
              + " own store.")
  private @Nullable Path keyFile;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "The server's certificate and its chain, in PEM; the address is https:// then. It is read"
              + " again when it changes, as are all files of TLS and --auth.")
  private @Nullable Path tlsCertificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "The certificate's key, in PEM.")
  private @Nullable Path tlsKey;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description =
          "Certificate and key in a PKCS12 store, instead of PEM; its password is in the variable "
              + KEYSTORE_PASSWORD
              + ".")
  private @Nullable Path tlsKeystore;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "The authorities that sign clients' certificates, in PEM. The subject of a certificate is"
              + " a principal of the auth file; a client without one needs a token.")
  private @Nullable Path tlsClientAuthorities;

  @Option(
      names = "--auth",
      paramLabel = "FILE",
      description =
          "Who may do what: hashes of tokens, and rights. Without it every client on this machine"
              + " may do everything.")
  private @Nullable Path authFile;

  @Option(
      names = "--audit",
      paramLabel = "FILE",
      description =
          "Write who was granted, released, denied and evicted what, as lines of JSON. It is rotated"
              + " at 16 MiB.")
  private @Nullable Path auditFile;

  /** For picocli. */
  public ServerCommand() {}

  @Override
  public Integer call() {
    Path key = keyFile == null ? XdgFolders.state(System.getenv()).resolve("server.key") : keyFile;
    ServerOptions options =
        ServerOptions.DEFAULTS
            .withHost(host)
            .withPort(port)
            .withLeaseFloor(leaseFloor)
            .withKeyFile(key);
    Optional<TlsSettings> tls = tls();
    if (tls.isPresent()) {
      options = options.withTls(tls.get());
    }
    if (authFile != null) {
      options = options.withAuthFile(authFile);
    }
    if (auditFile != null) {
      options = options.withAuditFile(auditFile);
    }
    try (CleanupOnSignal signals = new CleanupOnSignal();
        LockServer server = start(options)) {
      Screen.out().line("serving " + server.store() + " at " + server.address());
      awaitSignal();
      Screen.say("stopping; holds stay in the store");
      return ExitCode.OK;
    }
  }

  private Optional<TlsSettings> tls() {
    Optional<Path> authorities = Optional.ofNullable(tlsClientAuthorities);
    if (tlsKeystore != null && tlsCertificate == null && tlsKey == null) {
      String password = ArgumentEncoding.variable(System.getenv(), KEYSTORE_PASSWORD);
      if (password == null) {
        throw new CliException(
            ExitCode.USAGE,
            "the password of " + tlsKeystore + " is missing: put it into " + KEYSTORE_PASSWORD);
      }
      return Optional.of(
          new TlsSettings(new TlsSettings.Pkcs12File(tlsKeystore, password), authorities, false));
    } else if (tlsCertificate != null && tlsKey != null && tlsKeystore == null) {
      return Optional.of(
          new TlsSettings(new TlsSettings.PemFiles(tlsCertificate, tlsKey), authorities, false));
    } else if (tlsKeystore == null
        && tlsCertificate == null
        && tlsKey == null
        && authorities.isEmpty()) {
      return Optional.empty();
    }
    throw new CliException(
        ExitCode.USAGE,
        "a certificate is --tls-cert FILE and --tls-key FILE, or --tls-keystore FILE alone");
  }

  private LockServer start(ServerOptions options) {
    try {
      return LockServer.start(store.addressOfAllNamespaces().uri(), options);
    } catch (IOException e) {
      throw new CliException(ExitCode.STORE, String.valueOf(e.getMessage()));
    }
  }

  private static void awaitSignal() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // The signal: the server closes with the command.
    }
  }
}
