package io.holdfast.rig.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where one server lives, over all its restarts: its ports and its folder. */
public final class ServerLocation {
  private final String name;
  private final TempFolder folder;
  private final int port;
  private final Optional<String> user;
  private final Map<String, Integer> otherPorts = new ConcurrentHashMap<>();

  public ServerLocation(String name, int port, Optional<String> user) {
    this.name = name;
    this.folder = TempFolder.create(name);
    this.port = port;
    this.user = user;
    handOver();
  }

  /** The port that clients connect to. */
  public int port() {
    return port;
  }

  /** Another port for a purpose of its own, such as "peer"; the same one for every call. */
  public int port(String purpose) {
    return otherPorts.computeIfAbsent(purpose, p -> Ports.free());
  }

  /** Says beforehand which port it is: for members that must know each other before they start. */
  public void take(String purpose, int known) {
    otherPorts.put(purpose, known);
  }

  /** The loopback address and {@link #port()}. */
  public InetSocketAddress address() {
    return Ports.loopback(port);
  }

  /** A folder of its own, empty at the first start, kept over restarts, deleted at the end. */
  public Path folder() {
    return folder.path();
  }

  /**
   * Runs a command to its end in the folder, as the server's user; for things such as initdb.
   *
   * @throws IllegalStateException with the output when it fails or does not end within the bound
   */
  public void run(Duration bound, List<String> command) {
    ChildProcess child = ChildProcess.start(launch(command, Map.of()));
    boolean ended = child.awaitExit(bound);
    child.kill9();
    if (!ended || child.exitCode() != 0) {
      String how =
          ended ? "exit code " + child.exitCode() : "no end within " + bound.toMillis() + " ms";
      throw new IllegalStateException(command + " failed: " + how + "; " + child.quote());
    }
  }

  LaunchSpec launch(List<String> command, Map<String, String> environment) {
    return new LaunchSpec(
        name, command, folder(), folder().resolve("output.log"), environment, user);
  }

  public void delete() {
    folder.close();
  }

  /** The folder must belong to the user that the server runs as. */
  private void handOver() {
    if (user.isPresent() && LaunchSpec.asRoot()) {
      try {
        var owner =
            folder()
                .getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(user.get());
        Files.setOwner(folder(), owner);
      } catch (IOException e) {
        delete();
        throw new UncheckedIOException("no user " + user.get(), e);
      }
    }
  }
}
