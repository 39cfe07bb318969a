package io.holdfast.redis;

import io.holdfast.redis.wire.JedisWiring;
import io.holdfast.redis.wire.StartCheck;
import io.holdfast.redis.wire.Wiring;
import io.holdfast.redis.wire.Wirings;
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
import java.util.function.LongSupplier;
import redis.clients.jedis.UnifiedJedis;

/**
 * The engine for a Redis server, for the master that Sentinel names, and for Redis Cluster. All
 * primitives, both orders; waiters are signalled over one subscription a server.
 *
 * <p>Verbs go through {@link #lane()}: each lane has its own connections. Verbs that are called on
 * the engine itself share one more lane and take turns.
 */
public final class RedisEngine implements BatchEngine {

  /*
   * Why no rival gets in: every verb is one script, or its own part of one for several verbs,
   * which the server runs alone, on keys that one server has. Without an order, the resource is
   * one string key: a grant sets it where nothing is or where it is kept for this very ticket; it
   * goes when the holder leaves or when the server's clock has used up the lease that the script
   * counted from its own time. In a line, a grant needs room beside all that are in and all that
   * wait ahead; who is in stays counted until it leaves or its lease has ended on the same clock.
   * The holder counts its lease from before the call was sent, so it stops first. Renewing looks
   * for the ticket's id in the very place that a rival's grant would overwrite. Tokens are minted
   * in the step that grants, by the counter of the bucket, which rises with every grant and with
   * the clock.
   *
   * What breaks it: a server that forgets grants (failover to a replica that lacks them, restart
   * without persistence, FLUSHALL, eviction) and a server clock that steps forward. Tokens still
   * rise then, unless the clock went back as well by more than the time that was lost. The strict
   * profile closes the failover: see docs/engines/redis.md.
   */

  /** How long a free resource is kept for the first that waits, at least. */
  static final Duration RESERVE = Duration.ofMillis(5);

  private static final Duration QUARANTINE_SPARE = Duration.ofSeconds(12);
  private static final int LANES = 1;
  private static final int BATCH = 128;

  private final Wiring wiring;
  private final StartCheck check;
  private final HeldTickets held;
  private final Bells bells;
  private final Calls calls;
  private final Packing packing;
  private final Completion completion;
  private final Refusals refusals;
  private final EngineTraits traits;
  private final LongSupplier nanoTime;
  private final Doors doors;
  private final RedisCounter counter;
  private final boolean hearsChanges;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private RedisEngine(Wiring wiring, StartCheck check, RedisOptions options, Settings settings) {
    this.wiring = wiring;
    this.check = check;
    this.nanoTime = settings.nanoTime();
    this.refusals = new Refusals(wiring.address());
    this.held = new HeldTickets(settings.nanoTime());
    this.bells = new Bells(wiring, randomAddress(), settings.nanoTime(), held);
    wiring.onMasterReplaced(held::allChanged);
    long quarantine = options.strict() ? quarantine(options, settings.lease()).toMillis() : 0;
    TakenBack takenBack = new TakenBack(settings.nanoTime());
    this.calls =
        new Calls(
            bells,
            options.signals(),
            wiring.isCluster(),
            quarantine,
            options.minReplicas() > 0,
            takenBack);
    boolean together = !wiring.isSpread() && quarantine == 0 && options.minReplicas() == 0;
    this.packing = new Packing(calls, bells, together);
    this.completion =
        new Completion(bells, refusals, options.minReplicas(), quarantine, takenBack, held);
    this.hearsChanges = options.signals();
    this.traits = traits(wiring.address(), options, settings.lanes());
    this.doors = new Doors(wiring, () -> closed, refusals);
    this.counter = new RedisCounter(doors, options.minReplicas());
  }

  /**
   * Opens an engine; the servers need not be up.
   *
   * @throws IllegalArgumentException when replicas may take as long as a whole operation
   */
  public static RedisEngine open(RedisOptions options, Settings settings) {
    RedisBounds.replicas(options, settings.operationTimeout());
    StartCheck check = new StartCheck(options.strict());
    return new RedisEngine(
        Wirings.open(options, settings.operationTimeout(), check), check, options, settings);
  }

  /**
   * An engine over a client that the program has already: pooled, with sentinels or a cluster. Its
   * timeouts are the client's. Its servers are looked at when a lane connects, as others are.
   * Closing the engine leaves the client open. Neither the strict profile nor replicas to confirm:
   * both need connections of our own.
   */
  public static RedisEngine over(UnifiedJedis jedis) {
    StartCheck check = new StartCheck(false);
    return over(JedisWiring.over(jedis, check), check);
  }

  /** An engine over a wiring that somebody else has made. */
  static RedisEngine over(Wiring wiring, StartCheck check) {
    Settings settings =
        new Settings(
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            0,
            System::nanoTime,
            () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
    RedisOptions usual = RedisOptions.of("redis://localhost");
    return new RedisEngine(wiring, check, usual, settings);
  }

  /**
   * Tells a store that has never granted anything so: for the first start in the strict profile,
   * which otherwise waits out the quarantine in every bucket. Only while nobody holds a lock there:
   * it is the operator's word that servers without records have forgotten nothing. Blocks for I/O.
   *
   * @return how many of the 4,096 buckets had no record; the others are left as they are
   * @throws EngineException when the servers cannot be reached; it may be called again
   */
  public static int init(RedisOptions options, Duration operationTimeout) throws EngineException {
    RedisBounds.replicas(options, operationTimeout);
    StartCheck check = new StartCheck(options.strict());
    try (Wiring wiring = Wirings.open(options, operationTimeout, check)) {
      return FreshStart.declare(wiring);
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
        RESERVE,
        Optional.empty());
  }

  /** Longer than any lease that a server may have forgotten, with time for its replicas to lag. */
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

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw refusals.closed();
    }
    return new RedisLane(this, wiring.connect(), calls, packing, completion);
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    held.reportTo(signal);
    if (hearsChanges) {
      completion.onGrant(bells::hearChanges);
    }
  }

  @Override
  public EngineCondition condition() {
    List<String> warnings = new ArrayList<>(check.warnings());
    bells.silence().ifPresent(warnings::add);
    return new EngineCondition(
        warnings, Map.of("signals.lost", bells.losses(), "signals.bells", (long) bells.size()));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(new RedisInspector(doors, new RedisRefusals(refusals), calls.publish()));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  @Override
  public void close() {
    closed = true;
    bells.close();
    own.close();
    counter.close();
    wiring.close();
  }
}
