package io.holdfast.redis;

import io.holdfast.spi.Resource;

/**
 * The address of a store as a program has it for its locks, read for a guard. Parameters that begin
 * with {@code holdfast.} are the client's; of these a guard needs only the namespace.
 *
 * @param store without the client's parameters
 * @param namespace what the address says, or {@code default}
 */
record GuardAddress(String store, String namespace) {

  private static final String CLIENTS = "holdfast.";
  private static final String NAMESPACE = CLIENTS + "namespace=";
  private static final String DEFAULT = "default";

  static GuardAddress of(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return new GuardAddress(uri, DEFAULT);
    }
    StringBuilder store = new StringBuilder(uri.substring(0, query));
    char separator = '?';
    String namespace = DEFAULT;
    for (String parameter : uri.substring(query + 1).split("&", -1)) {
      if (parameter.startsWith(NAMESPACE)) {
        String value = parameter.substring(NAMESPACE.length());
        namespace = RedisParameters.decode("holdfast.namespace", value);
      }
      if (!parameter.startsWith(CLIENTS)) {
        store.append(separator).append(parameter);
        separator = '&';
      }
    }
    return new GuardAddress(store.toString(), Resource.requireNamespace(namespace));
  }
}
