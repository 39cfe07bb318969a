package io.holdfast.cli.bench;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * JDBC URL of a PostgreSQL or MariaDB server.
 *
 * @param url for the driver; may contain secrets
 */
public record DatabaseAddress(StoreKind kind, String url) {

  /** Prefix of the parameters that only Holdfast understands. */
  private static final String HOLDFAST_PARAMETER = "holdfast.";

  /**
   * Returns the URL of a store without Holdfast's own parameters; empty if the URI names no
   * PostgreSQL or MariaDB server.
   */
  public static Optional<DatabaseAddress> of(String uri) {
    return StoreKind.of(uri)
        .filter(kind -> kind == StoreKind.POSTGRES || kind == StoreKind.MARIADB)
        .map(kind -> new DatabaseAddress(kind, withoutHoldfastParameters(uri)));
  }

  private static String withoutHoldfastParameters(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return uri;
    }
    String rest =
        Arrays.stream(uri.substring(query + 1).split("&", -1))
            .filter(parameter -> !parameter.startsWith(HOLDFAST_PARAMETER))
            .collect(Collectors.joining("&"));
    return uri.substring(0, query) + (rest.isEmpty() ? "" : "?" + rest);
  }

  /** Whether the server is PostgreSQL. */
  public boolean isPostgres() {
    return kind == StoreKind.POSTGRES;
  }

  /** Omits the URL, which may contain secrets. */
  @Override
  public String toString() {
    return kind.prefix();
  }
}
