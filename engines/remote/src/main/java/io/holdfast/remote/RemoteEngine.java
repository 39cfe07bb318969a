package io.holdfast.remote;

import io.holdfast.remote.admin.Queries;
import io.holdfast.remote.admin.RemoteCounter;
import io.holdfast.remote.admin.RemoteInspector;
import io.holdfast.remote.connection.Servers;
import io.holdfast.remote.verbs.RemoteContext;
import io.holdfast.remote.verbs.RemoteLane;
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
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine for a lock service: every verb goes to a server, and the store behind it decides.
 *
 * <p>The traits say how to drive it, and are the same for every service: a client is made when no
 * server may be running. What the store promises is known when a server has replied, see {@link
 * #guarantees()}; what it does not support is refused by the server.
 */
public final class RemoteEngine implements BatchEngine {

  private static final int LANES = 1;

  /** Stores keep the turn of the first waiter themselves. Only that it is not zero matters. */
  private static final Duration RESERVE = Duration.ofMillis(5);

  private final Servers servers;
  private final EngineTraits traits;
  private final RemoteContext context;
  private final Queries queries;
  private final EngineInspector inspector;
  private final Counter counter;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean isClosed;

  private RemoteEngine(Servers servers, Settings settings) {
    this.servers = servers;
    this.traits =
        new EngineTraits(
            servers.store(),
            Set.of(Shape.Kind.values()),
            Set.of(Order.values()),
            Set.of(Guarantee.SIGNALS, Guarantee.ACROSS_PROCESSES),
            true,
            settings.lanes() == 0 ? LANES : settings.lanes(),
            Wire.MOST_VERBS,
            RESERVE,
            Optional.empty());
    this.context = new RemoteContext(traits, servers, settings.nanoTime());
    this.queries = new Queries(servers);
    this.inspector = new RemoteInspector(queries);
    this.counter = new RemoteCounter(queries);
  }

  /** Opens an engine; no server need be reachable. */
  public static RemoteEngine open(RemoteOptions options, Settings settings) {
    return new RemoteEngine(
        new Servers(
            options.servers(),
            options.sockets(),
            options.token(),
            options.address(),
            settings.operationTimeout()),
        settings);
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (isClosed) {
      throw new Refusals(servers.store()).closed();
    }
    return RemoteLane.open(context);
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
  public Set<Guarantee> guarantees() throws EngineException {
    return queries.hello().guarantees();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    context.reportChangesTo(signal);
  }

  /** The warnings are those of the server that this client has connected to last. */
  @Override
  public EngineCondition condition() {
    Hello hello = servers.hello();
    return new EngineCondition(
        hello == null ? List.of() : hello.warnings(),
        Map.of(
            "servers.changed",
            servers.changes(),
            "signals.armed",
            (long) context.waiters().size()));
  }

  @Override
  public Optional<EngineInspector> inspector() {
    Hello hello = servers.hello();
    return hello == null || hello.hasInspector() ? Optional.of(inspector) : Optional.empty();
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  /** Tickets are not bound to this engine: they stay until they leave or their lease ends. */
  @Override
  public void close() {
    isClosed = true;
    context.close();
    queries.close();
    own.close();
  }
}
