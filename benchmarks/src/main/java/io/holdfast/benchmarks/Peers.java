package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The peers that {@code --peers} can name. */
final class Peers {

  static final String REENTRANT = "reentrant";
  static final String REENTRANT_FAIR = "reentrant-fair";
  static final String FILE_LOCK = "file-lock";

  private static final Map<String, Supplier<Contender>> WITHOUT_STORE =
      Map.of(
          REENTRANT, () -> new ReentrantContender(REENTRANT, false),
          REENTRANT_FAIR, () -> new ReentrantContender(REENTRANT_FAIR, true),
          FILE_LOCK, FileLockContender::new);

  private Peers() {}

  /** All names there are, in alphabetical order. */
  static Set<String> names() {
    Set<String> names = new TreeSet<>(WITHOUT_STORE.keySet());
    names.addAll(RedisPeers.BY_NAME.keySet());
    names.addAll(EtcdPeers.BY_NAME.keySet());
    names.addAll(DatabasePeers.BY_NAME.keySet());
    names.addAll(ZooKeeperPeers.BY_NAME.keySet());
    return names;
  }

  /**
   * Checks that there is such a peer.
   *
   * @throws BadOptionException when there is none
   */
  static void requireKnown(String name) {
    if (!names().contains(name)) {
      throw new BadOptionException(
          "--peers must be names of %s: --peers=%s".formatted(names(), name));
    }
  }

  /** The kinds of stores that it can be over, the usual one first; none if it needs no store. */
  static List<StoreKind> stores(String name) {
    if (RedisPeers.BY_NAME.containsKey(name)) {
      return List.of(StoreKind.REDIS);
    }
    if (EtcdPeers.BY_NAME.containsKey(name)) {
      return List.of(StoreKind.ETCD);
    }
    if (ZooKeeperPeers.BY_NAME.containsKey(name)) {
      return List.of(StoreKind.ZOOKEEPER);
    }
    if (name.equals(DatabasePeers.RAW_ADVISORY)) {
      return List.of(StoreKind.POSTGRES);
    }
    return DatabasePeers.BY_NAME.containsKey(name)
        ? List.of(StoreKind.POSTGRES, StoreKind.MARIADB)
        : List.of();
  }

  /** Makes a peer that needs no store. */
  static Contender named(String name) {
    return named(name, "", Duration.ZERO);
  }

  /**
   * Makes the peer of this name, without connecting it.
   *
   * @param store its URI, for those that need one
   * @param lease for those that have one
   * @throws BadOptionException when there is none, or its store has another address
   */
  static Contender named(String name, String store, Duration lease) {
    requireKnown(name);
    RedisPeers.Maker overRedis = RedisPeers.BY_NAME.get(name);
    if (overRedis != null) {
      return overRedis.make(RedisAddress.of(store), lease);
    }
    EtcdPeers.Maker overEtcd = EtcdPeers.BY_NAME.get(name);
    if (overEtcd != null) {
      return overEtcd.make(EtcdAddress.of(store), lease);
    }
    DatabasePeers.Maker overDatabase = DatabasePeers.BY_NAME.get(name);
    if (overDatabase != null) {
      return overDatabase.make(Database.of(store), lease);
    }
    ZooKeeperPeers.Maker overZooKeeper = ZooKeeperPeers.BY_NAME.get(name);
    if (overZooKeeper != null) {
      return overZooKeeper.make(ZooKeeperPeers.hosts(store), Math.toIntExact(lease.toMillis()));
    }
    Supplier<Contender> maker = WITHOUT_STORE.get(name);
    if (maker == null) {
      throw new IllegalStateException("no such peer: " + name);
    }
    return maker.get();
  }
}
