package io.holdfast.etcd;

import io.grpc.Channel;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Watches;
import io.holdfast.etcd.wire.Wire;
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
import io.holdfast.spi.SwapCounter;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine for etcd. All primitives, both orders; waiters are signalled by watches.
 *
 * <p>Verbs go through {@link #lane()}. Verbs that are called on the engine itself share one more
 * lane and take turns. A ticket hangs on a lease of the engine that spoke for it last; any other
 * engine that has the ticket can go on with it.
 */
public final class EtcdEngine implements BatchEngine {

  /*
   * Why no rival gets in: a ticket is a key under the lease of its client, and its place in line is
   * the revision at which the key was made, which the cluster gives out in the order of its log. A
   * transaction joins and looks at once, so whoever sees itself first was first, and nobody can
   * come before it later. A ticket stays in line until its key is deleted: by its client, by an
   * operator, or with the lease, which the leader lets end by its own steady clock. The holder
   * counts the lease from before it was kept, and believes it only when a transaction of the same
   * term was answered since; so it stops before the leader does. The token is the same revision:
   * places and tokens rise together, and grants of a line are in the order of its places.
   *
   * A waiter that has seen all ahead of it go, and not itself, is first without looking. It counts as
   * in only while the lease is sure to last, so that its key cannot have gone with that since. (A
   * generation that was raised meanwhile it meets when it joins again; its place is older than that.)
   *
   * Permits are let in in writing: see Seats. A renewal need not look each time: see Looks.
   *
   * The order ANY has the same line. What makes it fast is above the engine: threads of one client
   * share one ticket there. So a client that waits is overtaken only within the client before it.
   *
   * A ticket that another engine has joined is found by its id among the tickets of its client, and
   * moves to a lease of this engine before it counts as kept: see Pegs.
   *
   * What breaks it: a leader that stood still for longer than a lease, and revokes it when it goes
   * on, though its successor has kept it (the holder is told by its watch; a guard refuses it); a
   * cluster that forgets (restored from a backup: raise the generation), and
   * evict, which says so.
   */

  /** What one transaction takes, with room for the parts of each. */
  static final int BATCH = 100;

  private static final int LANES = 1;

  /** The line keeps its first place for whoever has it. Only that it is not zero matters. */
  private static final Duration RESERVE = Duration.ofMillis(5);

  /** How long closing waits for the store to take back a lease. */
  private static final Duration FAREWELL = Duration.ofMillis(500);

  /**
   * All but one. A leader that stood still for longer than a lease may revoke, when it goes on,
   * what its successor has kept: then somebody gets in beside a grant that was answered before.
   */
  private static final Set<Guarantee> GUARANTEES =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(Guarantee.EXCLUSION_SURVIVES_FAILOVER)));

  private final Members members;
  private final Shared shared;
  private final Duration timeout;
  private final EngineTraits traits;
  private final CounterKeys counters;
  private final Counter counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private EtcdEngine(Members members, Settings settings) {
    this.members = members;
    this.timeout = settings.operationTimeout();
    Layout layout = new Layout(members.prefix());
    this.shared =
        new Shared(
            new Sessions(settings.nanoTime(), settings.epochMicros()),
            new Places(settings.nanoTime()),
            new Marks(settings.nanoTime()),
            watches(members, settings),
            new Looks(watches(members, settings), layout, settings.nanoTime()),
            new Refusals(members.store()),
            layout,
            settings.nanoTime(),
            settings.epochMicros());
    this.traits = traits(members.store(), settings.lanes());
    this.counters = new CounterKeys(new Wire(members, timeout), shared);
    this.counter = new SwapCounter(counters, members.store(), settings);
  }

  private static Watches watches(Members members, Settings settings) {
    return new Watches(members, settings.operationTimeout(), settings.nanoTime());
  }

  /** Opens an engine; the cluster need not be up. */
  public static EtcdEngine open(EtcdOptions options, Settings settings) {
    return new EtcdEngine(
        options.members(Members.Timing.of(settings.lease(), settings.operationTimeout())),
        settings);
  }

  /**
   * An engine over a channel that the program has already, with TLS, credentials and balancing as
   * the program has set them. Closing the engine leaves the channel open.
   *
   * @param name what errors and listings call the cluster
   */
  public static EtcdEngine over(Channel channel, String name) {
    return over(channel, name, EtcdOptions.DEFAULT_PREFIX);
  }

  /**
   * As {@link #over(Channel, String)}, with keys of another prefix.
   *
   * @param prefix how all keys begin; ends with a slash
   */
  public static EtcdEngine over(Channel channel, String name, String prefix) {
    return new EtcdEngine(
        Members.over(channel, name, prefix),
        new Settings(
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            0,
            System::nanoTime,
            () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
  }

  private static EngineTraits traits(String store, int lanes) {
    return new EngineTraits(
        store,
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        GUARANTEES,
        true,
        lanes == 0 ? LANES : lanes,
        BATCH,
        RESERVE,
        Optional.empty());
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw shared.refusals().closed();
    }
    return new EtcdLane(this, shared, new Wire(members, timeout));
  }

  @Override
  public void perform(List<Verb> batch) {
    own.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  /**
   * From now on a hold is watched when it has lasted for a moment, whether it was renewed or not.
   */
  @Override
  public void reportChangesTo(HoldSignal signal) {
    shared.looks().reportTo(signal);
  }

  @Override
  public EngineCondition condition() {
    return new EngineCondition(
        List.of(),
        Map.of(
            "signals.rung",
            shared.watches().rung(),
            "signals.lost",
            shared.watches().lost(),
            "signals.armed",
            (long) shared.watches().size(),
            "signals.holds",
            (long) shared.looks().size(),
            "tickets",
            (long) shared.places().size()));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(new EtcdInspector(members, timeout, shared));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  /** Ends the leases of this engine too, and so the tickets that are left. */
  @Override
  public void close() {
    if (stop()) {
      revokeLeases();
    }
    members.close();
  }

  @Override
  public void detach() {
    stop();
    members.close();
  }

  private boolean stop() {
    boolean first = !closed;
    closed = true;
    counters.close();
    shared.watches().close();
    shared.looks().close();
    own.close();
    return first;
  }

  /** What is left hanging on them goes at once. If nobody answers soon, they end by themselves. */
  private void revokeLeases() {
    Duration bound = timeout.compareTo(FAREWELL) < 0 ? timeout : FAREWELL;
    try (Wire wire = new Wire(members, bound)) {
      shared.sessions().revoke(wire);
    } catch (EngineException e) {
      // Closing is not held up by a store that is away.
    }
  }
}
