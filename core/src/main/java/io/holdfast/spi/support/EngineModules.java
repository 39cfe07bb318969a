package io.holdfast.spi.support;

import java.util.Map;
import java.util.Optional;

/** The modules of Holdfast that have engines: for messages that say what to add to a program. */
public final class EngineModules {

  private static final Module REDIS =
      new Module("io.holdfast:holdfast-redis", "redis.clients:jedis");
  private static final Module JDBC =
      new Module("io.holdfast:holdfast-jdbc", "the JDBC driver of the database");
  private static final Module ZOOKEEPER =
      new Module("io.holdfast:holdfast-zookeeper", "org.apache.zookeeper:zookeeper");
  private static final Module ETCD = new Module("io.holdfast:holdfast-etcd", "io.etcd:jetcd-grpc");

  private static final Module REMOTE = new Module("io.holdfast:holdfast-remote", "nothing");

  private static final Map<String, Module> BY_SCHEME =
      Map.ofEntries(
          Map.entry("redis", REDIS),
          Map.entry("rediss", REDIS),
          Map.entry("redis-sentinel", REDIS),
          Map.entry("redis-cluster", REDIS),
          Map.entry("redlock", REDIS),
          Map.entry("jdbc", JDBC),
          Map.entry("zookeeper", ZOOKEEPER),
          Map.entry("etcd", ETCD),
          Map.entry("etcds", ETCD),
          Map.entry("http", REMOTE),
          Map.entry("https", REMOTE));

  private EngineModules() {}

  /** Returns the module whose engine handles a scheme, on the class path or not. */
  public static Optional<Module> of(String scheme) {
    return Optional.ofNullable(BY_SCHEME.get(scheme));
  }

  /**
   * A module with an engine.
   *
   * @param artifact its group and name
   * @param library what its engine needs next to it
   */
  public record Module(String artifact, String library) {}
}
