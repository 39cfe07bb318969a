package io.holdfast.redis;

import io.holdfast.redis.admin.AdminConnections;
import io.holdfast.redis.admin.RedisCounter;
import io.holdfast.redis.admin.RedisInspector;
import io.holdfast.redis.admin.StoreInitializer;
import io.holdfast.redis.connection.JedisClientTopology;
import io.holdfast.redis.connection.ServerCheck;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.Topologies;
import io.holdfast.redis.layout.ForeignRecords;
import io.holdfast.redis.signals.HeldTickets;
import io.holdfast.redis.signals.RecordWatches;
import io.holdfast.redis.signals.WaiterSignals;
import io.holdfast.redis.verbs.RedisLane;
import io.holdfast.redis.verbs.RevertedTokens;
import io.holdfast.redis.verbs.VerbContext;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import redis.clients.jedis.UnifiedJedis;

/**
 * The engine for one Redis server, a master behind Sentinel, and Redis Cluster.
 *
 * <p>It serves all primitives in both orders. Waiters are signalled over one subscription a server.
 *
 * <p>Verbs go through {@link #lane()}: each lane has its own connections. Verbs called on the
 * engine itself share one more lane and take turns.
 */
public final class RedisEngine implements BatchEngine {

  /*
   * Why no rival gets in: every verb is one script, or its own part of a script for several verbs,
   * which the server runs alone, on keys that one server has. Without an order, the resource is
   * one string key: a grant sets it if it is absent or reserved for this very ticket; it
   * disappears when the holder leaves or when the lease has ended on the server's clock, from
   * which the script counted it. In a line, a grant needs room in addition to all holders and all
   * waiters ahead; a holder is counted until it leaves or its lease has ended on the same clock.
   * The holder counts its lease from before the call was sent, so it stops first. A renewal checks
   * the ticket's id in the very place that a rival's grant would overwrite. Tokens are minted
   * in the step that grants, by the counter of the bucket, which rises with every grant and with
   * the clock.
   *
   * What breaks it: a server that forgets grants (failover to a replica that lacks them, restart
   * without persistence, FLUSHALL, eviction) and a server clock that steps forward. Tokens still
   * rise then, unless the clock went back as well by more than the time that was lost. The strict
   * profile closes the failover: see docs/engines/redis.md.
   */

  private static final Duration QUARANTINE_SPARE = Duration.ofSeconds(12);
  private static final int LANES = 1;
  private static final int BATCH = 128;

  private final ServerTopology topology;
  private final ServerCheck check;
  private final HeldTickets held;
  private final WaiterSignals waiters;
  private final RecordWatches watches;
  private final VerbContext context;
  private final AdminConnections adminConnections;
  private final RedisCounter counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private RedisEngine(
      ServerTopology topology, ServerCheck check, RedisOptions options, Settings settings) {
    this.topology = topology;
    this.check = check;
    this.held = new HeldTickets(settings.nanoTime());
    this.waiters = new WaiterSignals(topology, randomAddress(), settings.nanoTime(), held);
    this.watches = new RecordWatches(topology, settings.nanoTime(), held::changed);
    topology.onMasterReplaced(held::allChanged);
    long quarantine = options.strict() ? quarantine(options, settings.lease()).toMillis() : 0;
    boolean combines = !topology.isSpread() && quarantine == 0 && options.minReplicas() == 0;
    this.context =
        new VerbContext(
            traits(topology.address(), options, settings.lanes()),
            settings.nanoTime(),
            waiters,
            held,
            new RevertedTokens(settings.nanoTime()),
            options.signals(),
            topology.isCluster() ? "SPUBLISH" : "PUBLISH",
            combines,
            options.minReplicas(),
            quarantine);
    this.adminConnections = new AdminConnections(topology, () -> closed);
    this.counter = new RedisCounter(adminConnections, options.minReplicas());
  }

  /**
   * Opens an engine; the servers need not be up.
   *
   * @throws IllegalArgumentException if replicas may take as long as a whole operation
   */
  public static RedisEngine open(RedisOptions options, Settings settings) {
    OptionChecks.replicas(options, settings.operationTimeout());
    ServerCheck check = new ServerCheck(options.strict());
    return new RedisEngine(
        Topologies.open(options, settings.operationTimeout(), check), check, options, settings);
  }

  /**
   * Creates an engine over a caller-supplied client: pooled, with sentinels or of a cluster.
   *
   * <p>The timeouts are those of the client. The servers are checked when a lane connects. Closing
   * the engine leaves the client open. The strict profile and {@code minReplicas} are not
   * available: both need the engine's own connections.
   */
  public static RedisEngine over(UnifiedJedis jedis) {
    ServerCheck check = new ServerCheck(false);
    return over(JedisClientTopology.over(jedis, check), check);
  }

  /** Creates an engine over an open topology, with default options. */
  static RedisEngine over(ServerTopology topology, ServerCheck check) {
    RedisOptions defaults = RedisOptions.of("redis://localhost");
    return new RedisEngine(
        topology,
        check,
        defaults,
        Settings.defaults(
            System::nanoTime, () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
  }

  /**
   * Declares that a store has never granted anything, for the first start in the strict profile.
   *
   * <p>Without it, every bucket waits for the end of the quarantine. Call it only while no lock is
   * held there: it is the operator's assurance that servers without records have forgotten nothing.
   * Blocks for I/O.
   *
   * @return how many of the 4,096 buckets had no record; the others are left as they are
   * @throws EngineException if the servers cannot be reached; it may be called again
   */
  public static int init(RedisOptions options, Duration operationTimeout) throws EngineException {
    OptionChecks.replicas(options, operationTimeout);
    ServerCheck check = new ServerCheck(options.strict());
    try (ServerTopology topology = Topologies.open(options, operationTimeout, check)) {
      return StoreInitializer.init(topology);
    }
  }

  private static EngineTraits traits(String store, RedisOptions options, int lanes) {
    Set<Guarantee> guarantees =
        EnumSet.of(
            Guarantee.FENCING,
            Guarantee.FIFO,
            Guarantee.SHARED,
            Guarantee.ACROSS_PROCESSES,
            Guarantee.PORTABLE_TICKETS,
            Guarantee.TOKENS_SURVIVE_RESTART,
            Guarantee.TOKENS_SURVIVE_FAILOVER);
    if (options.signals()) {
      guarantees.add(Guarantee.SIGNALS);
    }
    if (options.strict()) {
      guarantees.add(Guarantee.EXCLUSION_SURVIVES_FAILOVER);
      guarantees.add(Guarantee.EXCLUSION_SURVIVES_RESTART);
    }
    return new EngineTraits(
        store,
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        guarantees,
        true,
        lanes == 0 ? LANES : lanes,
        BATCH,
        RedisLane.SHORTEST_RESERVE,
        Optional.empty());
  }

  /** Returns a time longer than any forgotten lease, with a margin for replication lag. */
  private static Duration quarantine(RedisOptions options, Duration lease) {
    if (!options.quarantine().isZero()) {
      return options.quarantine();
    }
    Duration longest = options.maxLease().compareTo(lease) > 0 ? options.maxLease() : lease;
    return longest.plus(QUARANTINE_SPARE);
  }

  private static String randomAddress() {
    return Long.toUnsignedString(new SecureRandom().nextLong(), Character.MAX_RADIX);
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw new Refusals(topology.address()).closed();
    }
    return new RedisLane(context, topology.connect());
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return context.traits();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    held.reportTo(signal);
    if (context.signals()) {
      held.watchBy(watches);
      waiters.reportChanges();
    }
  }

  @Override
  public EngineCondition condition() {
    List<String> warnings = new ArrayList<>(check.warnings());
    waiters.warning().ifPresent(warnings::add);
    return new EngineCondition(
        warnings,
        Map.of("signals.lost", waiters.losses(), "signals.waiters", (long) waiters.size()));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(
        new RedisInspector(
            adminConnections,
            new ForeignRecords(new Refusals(topology.address())),
            context.publish()));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void close() {
    closed = true;
    waiters.close();
    watches.close();
    own.close();
    counter.close();
    topology.close();
  }
}
