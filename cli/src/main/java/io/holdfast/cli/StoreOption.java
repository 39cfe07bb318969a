package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which store a command works with, for use as a picocli mixin. In this order: {@code --store},
 * {@code HOLDFAST_STORE}, the line {@code store} of the config file, the user's own file.
 */
public final class StoreOption {

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
      description = "Keeps the names of applications apart; usually 'default'.")
  private @Nullable String namespace;

  private @Nullable StoreAddress address;

  /** For picocli. */
  public StoreOption() {}

  /**
   * The address, worked out once. Makes the user's own file if that is the store and it is not
   * there.
   *
   * @throws CliException when it has a password on the command line, or the config file or the
   *     user's folder cannot be used as they are
   */
  public StoreAddress address() {
    StoreAddress known = address;
    if (known == null) {
      known = find(System.getenv());
      address = known;
    }
    return known;
  }

  private StoreAddress find(Map<String, String> environment) {
    if (uri != null) {
      StoreAddress.refusePassword(uri);
    }
    ConfigFile config = ConfigFile.read(Places.config(environment));
    String said = uri != null ? uri : Legible.variable(environment, "HOLDFAST_STORE");
    String chosen = said != null && !said.isBlank() ? said : config.get("store");
    return chosen == null
        ? new StoreAddress(DefaultStore.uri(Places.state(environment)))
        : new StoreAddress(login(environment, config, chosen.strip()).into(chosen.strip()));
  }

  /** A password that was written down for one store is not told to another. */
  static Login login(Map<String, String> environment, ConfigFile config, String store) {
    String ours = config.get("store");
    boolean fits = ours == null || ours.equals(store);
    return Login.of(environment, fits ? config : ConfigFile.EMPTY);
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
    Holdfast holdfast = Holdfast.connect(store.uri(), options);
    String wanted = namespace;
    return wanted == null ? holdfast : holdfast.with(o -> o.withNamespace(wanted));
  }

  /** Opens a client with the options that commands for operators need. */
  public Holdfast open() {
    return open(HoldfastOptions.DEFAULTS.withApp("holdfast").withTraceAcquires(false));
  }
}
