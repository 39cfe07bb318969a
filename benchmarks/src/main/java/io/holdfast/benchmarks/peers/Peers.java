package io.holdfast.benchmarks.peers;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.StoreKind;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The table of all peers that {@code --peers} can name. */
public final class Peers {

  /** The JDK's lock: the floor within one process. */
  public static final String REENTRANT = "reentrant";

  /** The same, first come, first served. */
  public static final String REENTRANT_FAIR = "reentrant-fair";

  /** The file locks of the operating system: the floor among processes of one machine. */
  public static final String FILE_LOCK = "file-lock";

  public static final String REDISSON = "redisson";
  public static final String REDISSON_FAIR = "redisson-fair";
  public static final String REDISSON_FENCED = "redisson-fenced";
  public static final String SPRING_REDIS_SPIN = "spring-redis-spin";
  public static final String SPRING_REDIS_PUB_SUB = "spring-redis-pubsub";

  /** The floor of Redis. */
  public static final String JEDIS_SET_NX = "jedis-set-nx";

  /** The lock service of etcd itself, through its Java client. */
  public static final String JETCD_LOCK = "jetcd-lock";

  /** The floor of etcd. */
  public static final String ETCD_TXN = "etcd-txn";

  public static final String SPRING_JDBC = "spring-jdbc";
  public static final String SHEDLOCK = "shedlock";

  /** The floor of databases. */
  public static final String RAW_ROW = "raw-row";

  /** The floor of locks that belong to a session; PostgreSQL only. */
  public static final String RAW_ADVISORY = "raw-advisory";

  public static final String CURATOR_MUTEX = "curator-mutex";
  public static final String CURATOR_SEMAPHORE = "curator-semaphore";

  /** The floor of ZooKeeper through Curator's framework. */
  public static final String CURATOR_FRAMEWORK = "curator-framework";

  /** The floor of ZooKeeper. */
  public static final String ZOOKEEPER_RAW = "zookeeper-raw";

  /** Libraries over Redis that promise no order. */
  public static final List<String> REDIS_LIBRARIES =
      List.of(REDISSON, REDISSON_FENCED, SPRING_REDIS_SPIN, SPRING_REDIS_PUB_SUB);

  /** Libraries over databases. */
  public static final List<String> DATABASE_LIBRARIES = List.of(SPRING_JDBC, SHEDLOCK);

  private static final Map<String, Peer> BY_NAME =
      Stream.of(
              new Peer(REENTRANT, List.of(), false, target -> new ReentrantLocks(false)),
              new Peer(REENTRANT_FAIR, List.of(), false, target -> new ReentrantLocks(true)),
              new Peer(FILE_LOCK, List.of(), true, target -> new FileLocks(target.folder())),
              Peer.over(StoreKind.REDIS, REDISSON, RedissonLocks::plain),
              Peer.over(StoreKind.REDIS, REDISSON_FAIR, RedissonLocks::fair),
              Peer.over(StoreKind.REDIS, REDISSON_FENCED, RedissonLocks::fenced),
              Peer.over(
                  StoreKind.REDIS,
                  SPRING_REDIS_SPIN,
                  target -> SpringRedisLocks.open(target, RedisLockType.SPIN_LOCK)),
              Peer.over(
                  StoreKind.REDIS,
                  SPRING_REDIS_PUB_SUB,
                  target -> SpringRedisLocks.open(target, RedisLockType.PUB_SUB_LOCK)),
              Peer.over(StoreKind.REDIS, JEDIS_SET_NX, SetNxLocks::open),
              Peer.over(StoreKind.ETCD, JETCD_LOCK, JetcdLocks::open),
              Peer.over(StoreKind.ETCD, ETCD_TXN, EtcdTransactionLocks::open),
              Peer.overDatabases(SPRING_JDBC, SpringJdbcLocks::open),
              Peer.overDatabases(SHEDLOCK, ShedLockLocks::open),
              Peer.overDatabases(RAW_ROW, RowLocks::open),
              Peer.over(StoreKind.POSTGRES, RAW_ADVISORY, PostgresAdvisoryLocks::open),
              Peer.over(StoreKind.ZOOKEEPER, CURATOR_MUTEX, CuratorLocks::mutex),
              Peer.over(StoreKind.ZOOKEEPER, CURATOR_SEMAPHORE, CuratorLocks::semaphore),
              Peer.over(StoreKind.ZOOKEEPER, CURATOR_FRAMEWORK, EphemeralNodeLocks::byCurator),
              Peer.over(StoreKind.ZOOKEEPER, ZOOKEEPER_RAW, EphemeralNodeLocks::byZooKeeper))
          .collect(
              Collectors.toMap(Peer::name, Function.identity(), (one, two) -> one, TreeMap::new));

  private Peers() {}

  /** Returns all names in alphabetical order. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  /**
   * Checks that there is such a peer.
   *
   * @throws CliException if there is none
   */
  public static void requireKnown(String name) {
    Peer unused = peer(name);
  }

  private static Peer peer(String name) {
    Peer peer = BY_NAME.get(name);
    if (peer == null) {
      throw new CliException(
          ExitCode.USAGE, "--peers must be names of %s: --peers=%s".formatted(names(), name));
    }
    return peer;
  }

  /** Returns the kinds of stores that a peer works with, the default first. */
  public static List<StoreKind> stores(String name) {
    return peer(name).stores();
  }

  /** Returns a peer that needs no store. */
  public static Contender named(String name) {
    return named(name, "", Duration.ZERO);
  }

  /**
   * Returns the peer of this name, without connecting it.
   *
   * @param store its URI, for peers that need a store
   * @param lease for peers that have leases
   * @throws CliException if there is no such peer, or it does not work with this store
   */
  public static Contender named(String name, String store, Duration lease) {
    return peer(name).at(store, lease);
  }
}
