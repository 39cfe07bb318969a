package io.holdfast.zookeeper;

import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of an engine, as a guard reads it. Parameters that begin with {@code holdfast.} are
 * the client's; of these a guard needs the namespace alone.
 *
 * @param store without the client's parameters
 * @param namespace what the address says, or {@code default}
 */
record GuardAddress(String store, String namespace) {

  private static final String CLIENTS = "holdfast.";
  private static final String NAMESPACE = CLIENTS + "namespace";
  private static final String DEFAULT = "default";

  static GuardAddress of(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return new GuardAddress(uri, DEFAULT);
    }
    @Nullable String namespace = null;
    List<String> rest = new ArrayList<>();
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      if (!parameter.startsWith(CLIENTS)) {
        rest.add(parameter);
      } else if (parameter.startsWith(NAMESPACE + "=")) {
        if (namespace != null) {
          throw new IllegalArgumentException("give each parameter once: " + NAMESPACE);
        }
        String value = parameter.substring(NAMESPACE.length() + 1);
        namespace = ZooKeeperUri.decode(NAMESPACE, value);
      }
    }
    String store = uri.substring(0, query) + (rest.isEmpty() ? "" : "?" + String.join("&", rest));
    return new GuardAddress(
        store, namespace == null ? DEFAULT : Resource.requireNamespace(namespace));
  }
}
