package io.holdfast.cli.commands.doctor;

import io.holdfast.spi.EngineProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;

/** The {@code holdfast.*} parameters of an address that are the client's, not the engine's. */
final class ClientParameters {

  private static final String OURS = "holdfast.";

  private ClientParameters() {}

  /** The address as its engine gets it. */
  static String without(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return uri;
    }
    Set<String> engines = engines(uri.substring(0, uri.indexOf(':')).toLowerCase(Locale.ROOT));
    List<String> kept = new ArrayList<>();
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      String key = parameter.split("=", 2)[0];
      if (!key.startsWith(OURS) || engines.contains(key.substring(OURS.length()))) {
        kept.add(parameter);
      }
    }
    return uri.substring(0, query) + (kept.isEmpty() ? "" : "?" + String.join("&", kept));
  }

  private static Set<String> engines(String scheme) {
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.schemes().contains(scheme)) {
        return provider.parameters();
      }
    }
    return Set.of();
  }
}
