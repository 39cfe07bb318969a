package io.holdfast.etcd;

import io.grpc.Channel;
import io.holdfast.etcd.admin.CounterKeys;
import io.holdfast.etcd.admin.EtcdInspector;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.MarkTable;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.etcd.signals.HoldWatcher;
import io.holdfast.etcd.signals.WatchRegistry;
import io.holdfast.etcd.verbs.EtcdLane;
import io.holdfast.etcd.verbs.VerbContext;
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
 * The engine for etcd: all primitives, both orders, waiters notified by watches.
 *
 * <p>Verbs go through {@link #lane()}. Verbs that are called on the engine itself share one more
 * lane and take turns. A ticket is attached to a lease of the engine that used it last; any other
 * engine that has the ticket can continue with it.
 *
 * <p>The order ANY uses the same line as FIFO. What makes it fast is above the engine: the threads
 * of one client share one ticket. So a waiting client is overtaken only within the client ahead of
 * it.
 */
public final class EtcdEngine implements BatchEngine {

  private static final int LANES = 1;

  /** The line reserves its first place by itself. Only that it is not zero matters. */
  private static final Duration RESERVE = Duration.ofMillis(5);

  /** How long closing waits for the store to revoke a lease. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  /**
   * All but one. A leader that was paused for most of a lease may revoke, when it continues, a
   * lease that its successor has kept: then a rival gets in while an earlier grant is believed.
   */
  private static final Set<Guarantee> GUARANTEES =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(Guarantee.EXCLUSION_SURVIVES_FAILOVER)));

  private final Members members;
  private final VerbContext context;
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
    this.context =
        new VerbContext(
            new LeaseRegistry(settings.nanoTime(), settings.epochMicros()),
            new TicketTable(settings.nanoTime()),
            new MarkTable(settings.nanoTime()),
            watches(members, settings),
            new HoldWatcher(watches(members, settings), layout, settings.nanoTime()),
            new Refusals(members.store()),
            layout,
            settings.nanoTime(),
            settings.epochMicros());
    this.traits = traits(members.store(), settings.lanes());
    this.counters =
        new CounterKeys(
            new EtcdConnection(members, timeout),
            layout,
            context.refusals(),
            settings.epochMicros());
    this.counter = new SwapCounter(counters, members.store(), settings);
  }

  private static WatchRegistry watches(Members members, Settings settings) {
    return new WatchRegistry(members, settings.operationTimeout(), settings.nanoTime());
  }

  /** Opens an engine; the cluster need not be reachable. */
  public static EtcdEngine open(EtcdOptions options, Settings settings) {
    return new EtcdEngine(
        options.members(Members.Timing.of(settings.lease(), settings.operationTimeout())),
        settings);
  }

  /**
   * Opens an engine over a caller-supplied channel, with the TLS, credentials and balancing of that
   * channel. Closing the engine leaves the channel open.
   *
   * @param name of the cluster in errors and listings
   */
  public static EtcdEngine over(Channel channel, String name) {
    return over(channel, name, EtcdOptions.DEFAULT_PREFIX);
  }

  /**
   * As {@link #over(Channel, String)}, with keys of another prefix.
   *
   * @param prefix of all keys; ends with a slash
   */
  public static EtcdEngine over(Channel channel, String name, String prefix) {
    return new EtcdEngine(
        Members.over(channel, name, prefix),
        Settings.defaults(
            System::nanoTime, () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())));
  }

  private static EngineTraits traits(String store, int lanes) {
    return new EngineTraits(
        store,
        Set.of(Shape.Kind.values()),
        Set.of(Order.values()),
        GUARANTEES,
        true,
        lanes == 0 ? LANES : lanes,
        EtcdLane.BATCH,
        RESERVE,
        Optional.empty());
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw context.refusals().closed();
    }
    return new EtcdLane(traits, context, new EtcdConnection(members, timeout));
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
   * Watches each hold from now on once it has lasted for a moment, whether it was renewed or not.
   */
  @Override
  public void reportChangesTo(HoldSignal signal) {
    context.holds().reportTo(signal);
  }

  @Override
  public EngineCondition condition() {
    return new EngineCondition(
        List.of(),
        Map.of(
            "signals.rung",
            context.watches().fired(),
            "signals.lost",
            context.watches().lost(),
            "signals.armed",
            (long) context.watches().size(),
            "signals.holds",
            (long) context.holds().size(),
            "tickets",
            (long) context.tickets().size()));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(
        new EtcdInspector(
            members,
            timeout,
            context.layout(),
            context.leases(),
            context.marks(),
            context.epochMicros()));
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  /** Also ends the leases of this engine, and so the tickets that are left. */
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
    context.watches().close();
    context.holds().close();
    own.close();
    return first;
  }

  /** Frees the remaining tickets at once. Without a reply, the leases end by themselves. */
  private void revokeLeases() {
    Duration bound = timeout.compareTo(CLOSE_TIMEOUT) < 0 ? timeout : CLOSE_TIMEOUT;
    try (EtcdConnection connection = new EtcdConnection(members, bound)) {
      context.leases().revoke(connection);
    } catch (EngineException e) {
      // Closing does not wait for an unreachable store.
    }
  }
}
