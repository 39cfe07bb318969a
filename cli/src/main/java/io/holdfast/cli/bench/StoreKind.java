package io.holdfast.cli.bench;

import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of stores that the bench distinguishes. */
public enum StoreKind {
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
  public String prefix() {
    return prefix;
  }

  public boolean isOwn(String uri) {
    return uri.equals(prefix);
  }

  /** The kind of store that a URI names, if it is one of these. */
  public static Optional<StoreKind> of(String uri) {
    return Stream.of(values()).filter(kind -> uri.startsWith(kind.prefix)).findFirst();
  }
}
