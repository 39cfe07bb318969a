package io.holdfast.benchmarks;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A database server, for peers.
 *
 * @param url for its driver; may hold secrets
 */
record Database(StoreKind kind, String url) {

  /** What begins so is for Holdfast, and no driver knows it. */
  private static final String OURS = "holdfast.";

  /**
   * Takes the URI of a store without what it says to Holdfast alone.
   *
   * @throws BadOptionException when it names no database server; without quoting it, as it may have
   *     a password
   */
  static Database of(String uri) {
    StoreKind kind = StoreKind.of(uri).orElse(StoreKind.SQLITE);
    return switch (kind) {
      case POSTGRES, MARIADB -> new Database(kind, withoutOurs(uri));
      case REDIS, ETCD, ZOOKEEPER, SQLITE ->
          throw new BadOptionException(
              "--store must be jdbc:postgresql://… or jdbc:mariadb://… for peers over a database");
    };
  }

  private static String withoutOurs(String uri) {
    int query = uri.indexOf('?');
    if (query < 0) {
      return uri;
    }
    String theirs =
        Arrays.stream(uri.substring(query + 1).split("&", -1))
            .filter(parameter -> !parameter.startsWith(OURS))
            .collect(Collectors.joining("&"));
    return uri.substring(0, query) + (theirs.isEmpty() ? "" : "?" + theirs);
  }

  boolean isPostgres() {
    return kind == StoreKind.POSTGRES;
  }

  /** Without the URL, which may hold secrets. */
  @Override
  public String toString() {
    return kind.prefix();
  }
}
