package io.holdfast.cli.store;

import java.nio.file.Path;
import java.util.Map;

/** Locates the user's files by the XDG base directory rules. */
public final class XdgFolders {

  private XdgFolders() {}

  /** The config file. */
  public static Path config(Map<String, String> environment) {
    return folder(environment, "XDG_CONFIG_HOME", ".config").resolve("config");
  }

  /** The folder of the store that is used when nothing else is said. */
  public static Path state(Map<String, String> environment) {
    return folder(environment, "XDG_STATE_HOME", ".local/state");
  }

  private static Path folder(Map<String, String> environment, String variable, String usual) {
    String named = environment.getOrDefault(variable, "");
    // The rules say that what is not absolute is to be ignored.
    Path base = named.startsWith("/") ? Path.of(named) : home(environment).resolve(Path.of(usual));
    return base.resolve("holdfast");
  }

  private static Path home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? System.getProperty("user.home") : home);
  }
}
