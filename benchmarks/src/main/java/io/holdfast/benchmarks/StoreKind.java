package io.holdfast.benchmarks;

import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of stores that a run can start for itself. */
enum StoreKind {
  REDIS("redis:"),
  ETCD("etcd:"),
  POSTGRES("jdbc:postgresql:"),
  MARIADB("jdbc:mariadb:"),
  SQLITE("jdbc:sqlite:"),
  ZOOKEEPER("zookeeper:");

  private final String prefix;

  StoreKind(String prefix) {
    this.prefix = prefix;
  }

  /** How its URIs begin; by itself, it stands for a store of the run's own. */
  String prefix() {
    return prefix;
  }

  boolean isOwn(String uri) {
    return uri.equals(prefix);
  }

  /** The kind of store that a URI names, if it is one of these. */
  static Optional<StoreKind> of(String uri) {
    return Stream.of(values()).filter(kind -> uri.startsWith(kind.prefix)).findFirst();
  }
}
