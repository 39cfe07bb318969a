package io.holdfast.cli.commands;

import io.holdfast.cli.CliException;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.cli.store.XdgFolders;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
      "Serves the locks of a store over HTTP, to programs on this machine.",
      "Clients need no driver of the store: their address is http://127.0.0.1:7420.",
      "It ends with Ctrl-C or TERM, and ends nobody's hold: clients go on at another",
      "server of the same store, or here after a restart."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast server",
      "  holdfast server --store redis://db --port 7421",
      "  holdfast run --store http://127.0.0.1:7420 backup -- ./backup.sh"
    })
public final class ServerCommand implements Callable<Integer> {

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "The loopback address to listen at; default 127.0.0.1.")
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
    try (CleanupOnSignal signals = new CleanupOnSignal();
        LockServer server = start(options)) {
      Screen.out().line("serving " + server.store() + " at " + server.address());
      awaitSignal();
      Screen.say("stopping; holds stay in the store");
      return ExitCode.OK;
    }
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
