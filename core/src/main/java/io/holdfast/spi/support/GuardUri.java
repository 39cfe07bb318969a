package io.holdfast.spi.support;

import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address of the locks, as the fence guard of the same store reads it.
 *
 * <p>A program has one address for its locks, with parameters of the client such as {@code
 * holdfast.lease}, and gives it to its guard too. The guard takes the namespace and ignores the
 * other parameters of the client. It does not check them, because the client does.
 *
 * @param store the address without the client's parameters: what {@code EngineProvider.open} gets
 * @param namespace the namespace in the address, or {@code default}
 */
public record GuardUri(String store, String namespace) {

  private static final String CLIENTS = "holdfast.";
  private static final String NAMESPACE = CLIENTS + "namespace";
  private static final String DEFAULT = "default";

  /**
   * Parses the address of the locks.
   *
   * @param engineParameters names, without {@code holdfast.}, that the engine has itself; see
   *     {@link io.holdfast.spi.EngineProvider#parameters}
   * @throws IllegalArgumentException when the namespace is malformed or given twice
   */
  public static GuardUri parse(String uri, Set<String> engineParameters) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return new GuardUri(uri, DEFAULT);
    }
    @Nullable String namespace = null;
    List<String> kept = new ArrayList<>();
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (!name.startsWith(CLIENTS)
          || engineParameters.contains(name.substring(CLIENTS.length()))) {
        kept.add(parameter);
      } else if (name.equals(NAMESPACE)) {
        if (namespace != null) {
          throw UriParameters.twice(NAMESPACE);
        }
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        namespace = UriParameters.decode(NAMESPACE, value);
      }
    }
    return new GuardUri(
        uri.substring(0, query) + (kept.isEmpty() ? "" : "?" + String.join("&", kept)),
        namespace == null ? DEFAULT : Resource.requireNamespace(namespace));
  }

  /** Without the address, which may contain a password. */
  @Override
  public String toString() {
    return "GuardUri[namespace=" + namespace + "]";
  }
}
