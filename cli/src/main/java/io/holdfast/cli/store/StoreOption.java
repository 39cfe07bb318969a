package io.holdfast.cli.store;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.ArgumentEncoding;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.QuietLogs;
import io.holdfast.cli.QuietNetty;
import io.holdfast.spi.Guarantee;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options {@code --store} and {@code --namespace}, as a picocli mixin.
 *
 * <p>The store is the first of these that is set: {@code --store}, {@code HOLDFAST_STORE}, the line
 * {@code store} of the config file, the user's own file.
 */
public final class StoreOption {

  private static final HoldfastOptions OPERATORS =
      HoldfastOptions.DEFAULTS.withApp("holdfast").withTraceAcquires(false);

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "Where the locks are, such as redis://db or etcd://db. Without it: HOLDFAST_STORE, the"
              + " config file, or a file of this user on this machine. Passwords do not belong"
              + " here: see HOLDFAST_PASSWORD.")
  private @Nullable String uri;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "Separates the names of applications; default 'default'.")
  private @Nullable String namespace;

  private @Nullable StoreAddress address;

  /** For picocli. */
  public StoreOption() {}

  /**
   * The address, worked out once. Makes the user's own file if that is the store and it is not
   * there.
   *
   * @throws CliException when it is empty or has a password on the command line, or the config file
   *     or the user's folder cannot be used as they are
   */
  public StoreAddress address() {
    StoreAddress known = address;
    if (known == null) {
      known = find(System.getenv());
      address = known;
    }
    return known;
  }

  /**
   * The address, for a command whose clients state their namespaces themselves.
   *
   * @throws CliException as {@link #address()}, and when a namespace is given
   */
  public StoreAddress addressOfAllNamespaces() {
    if (namespace != null) {
      throw new CliException(
          ExitCode.USAGE, "--namespace: clients of the server state it themselves; leave it out");
    }
    QuietLogs.install();
    QuietNetty.install();
    return address();
  }

  private StoreAddress find(Map<String, String> environment) {
    if (uri != null) {
      requireText("--store", uri);
      StoreAddress.refusePassword(uri);
    }
    ConfigFile config = ConfigFile.read(XdgFolders.config(environment));
    String chosen = uri != null ? uri : variableOrConfig(environment, config);
    return chosen == null
        ? new StoreAddress(DefaultStore.uri(XdgFolders.state(environment)))
        : new StoreAddress(login(environment, config, chosen.strip()).into(chosen.strip()));
  }

  private static @Nullable String variableOrConfig(
      Map<String, String> environment, ConfigFile config) {
    String variable = ArgumentEncoding.variable(environment, "HOLDFAST_STORE");
    if (variable != null) {
      requireText("HOLDFAST_STORE", variable);
      return variable;
    }
    String written = config.get("store");
    if (written != null) {
      requireText("'store' in the config file", written);
    }
    return written;
  }

  /** A script whose own variable is not set would lock on each machine alone. */
  private static void requireText(String where, String text) {
    if (text.isBlank()) {
      throw new CliException(
          ExitCode.USAGE,
          where
              + " is empty, so it names no store; give an address, or leave it out for the file of"
              + " this user, which other machines do not see");
    }
  }

  /** A password that was configured for one store is never sent to another. */
  static StoreLogin login(Map<String, String> environment, ConfigFile config, String store) {
    String ours = config.get("store");
    boolean fits = ours == null || ours.equals(store);
    return StoreLogin.of(environment, fits ? config : ConfigFile.EMPTY);
  }

  /**
   * Opens a client, which the caller closes. Does not need the store to be up.
   *
   * @param options what the command wants; the address goes first, but {@code --namespace} before
   *     it
   * @throws CliException as {@link #address()}
   * @throws IllegalArgumentException when the address is not understood; it quotes no secret
   */
  public Holdfast open(HoldfastOptions options) {
    StoreAddress store = address();
    QuietLogs.install();
    QuietNetty.install();
    Holdfast holdfast = Holdfast.connect(store.uri(), options);
    String wanted = namespace;
    return wanted == null ? holdfast : holdfast.with(o -> o.withNamespace(wanted));
  }

  /**
   * As {@link #open(HoldfastOptions)}, for what other processes are to see or to be kept from.
   *
   * @throws CliException when no other process can see the store
   */
  public Holdfast openShared(HoldfastOptions options) {
    Holdfast holdfast = open(options);
    if (!holdfast.traits().guarantees().contains(Guarantee.ACROSS_PROCESSES)) {
      String shown = holdfast.traits().store();
      holdfast.close();
      throw new CliException(
          ExitCode.USAGE,
          shown
              + " is within one process: no other sees its locks, and it ends with this one; use a"
              + " store that processes share, such as redis://host, or none for the file of this"
              + " user");
    }
    return holdfast;
  }

  /** {@link #openShared(HoldfastOptions)} with the options that commands for operators need. */
  public Holdfast openShared() {
    return openShared(OPERATORS);
  }

  /** Opens a client with the options that commands for operators need. */
  public Holdfast open() {
    return open(OPERATORS);
  }
}
