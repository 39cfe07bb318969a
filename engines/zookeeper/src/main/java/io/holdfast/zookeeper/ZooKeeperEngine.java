package io.holdfast.zookeeper;

import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Shape;
import io.holdfast.spi.SwapCounter;
import io.holdfast.spi.Verb;
import io.holdfast.zookeeper.admin.CounterNodes;
import io.holdfast.zookeeper.admin.Sweeper;
import io.holdfast.zookeeper.admin.ZooKeeperInspector;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.CloseCleanup;
import io.holdfast.zookeeper.session.Heartbeat;
import io.holdfast.zookeeper.session.HeldLockScan;
import io.holdfast.zookeeper.session.SessionOpening;
import io.holdfast.zookeeper.session.Sessions;
import io.holdfast.zookeeper.session.TicketTable;
import io.holdfast.zookeeper.signals.HeldNodeWatches;
import io.holdfast.zookeeper.verbs.VerbContext;
import io.holdfast.zookeeper.verbs.ZooKeeperLane;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooKeeper;

/**
 * Locks in ZooKeeper. Each ticket is an ephemeral sequential node.
 *
 * <p>Mutexes of both orders, read/write locks, semaphores and {@code once} share one structure, so
 * that they exclude each other. The client's lease is the timeout of its session.
 */
public final class ZooKeeperEngine implements BatchEngine {

  /*
   * Why no two tickets that exclude each other are granted: the store assigns places in the order
   * of the joins, and a list that was requested after a join shows all earlier joins, so the
   * weights ahead of a ticket are never underestimated; no ticket can come in between later. A node
   * vanishes when its owner deletes it, or with the session, which the leader ends when it got no
   * request of it for the session timeout. The holder stops relying on its lock before that: see
   * SessionValidity.
   *
   * Why tokens rise: the token is the id of the transaction that created the node, and transaction
   * ids rise across all leader changes; a ticket that is granted later joined later.
   *
   * What breaks it: a client that deletes nodes of others (the watch of the node notifies the holder
   * at once, see HeldNodeWatches), a leader whose process stands still, and an ensemble that lost its
   * data.
   */

  private static final int BATCH = 100;
  private static final int LANES = 2;

  /** How often the store is swept; also the least age of some of the removed nodes. */
  private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(10);

  /** The line itself reserves the turn of the next waiter; this only announces it. */
  private static final Duration RESERVE = Duration.ofMillis(5);

  private final StoreErrors errors;
  private final HeldNodeWatches heldNodes;
  private final TicketTable tickets;
  private final Sessions sessions;
  private final HeldLockScan heldLocks;
  private final Heartbeat heartbeat;
  private final EngineInspector inspector;
  private final Counter counter;
  private final EngineTraits traits;
  private final VerbContext verbs;
  private final LongSupplier nanoTime;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private ZooKeeperEngine(String address, String chroot, ClientFactory clients, Settings settings) {
    Paths paths = Paths.in(chroot);
    long timeoutNanos = settings.operationTimeout().toNanos();
    this.nanoTime = settings.nanoTime();
    this.errors = new StoreErrors(address);
    this.heldNodes = new HeldNodeWatches(nanoTime);
    this.tickets = new TicketTable(nanoTime, settings.lease().toNanos(), heldNodes);
    SessionOpening opening = new SessionOpening(paths, clients.acl(), errors, settings);
    this.sessions = new Sessions(clients, opening, errors, nanoTime, timeoutNanos);
    this.heldLocks = new HeldLockScan(tickets);
    this.traits = traits(address, settings);
    this.verbs = new VerbContext(traits, errors, sessions, tickets, heldLocks);
    this.inspector = new ZooKeeperInspector(sessions, paths, errors, timeoutNanos);
    this.counter =
        new SwapCounter(new CounterNodes(sessions, paths, errors, settings), address, settings);
    Sweeper sweeper = new Sweeper(sessions, paths, nanoTime, SWEEP_INTERVAL.toMillis());
    this.heartbeat =
        new Heartbeat(sessions, tickets, heldLocks, heldNodes, nanoTime, sweeper::sweep);
  }

  /**
   * Opens an engine with a connection of its own; the servers need not be up.
   *
   * @param settings its lease is the session timeout
   */
  public static LockEngine open(ZooKeeperOptions options, Settings settings) {
    return open(options, options.address(), settings);
  }

  /** As {@link #open(ZooKeeperOptions, Settings)}, with another address in messages. */
  static LockEngine open(ZooKeeperOptions options, String address, Settings settings) {
    int millis = Math.toIntExact(settings.lease().toMillis());
    return new ZooKeeperEngine(
        address,
        options.chroot(),
        ClientFactory.newClients(options.clientSettings(), millis),
        settings);
  }

  /**
   * Opens an engine over a caller-supplied client, which the caller closes after the engine. When
   * the client's session is over, so is the engine: open a new one over a new client, or use {@link
   * #over(Supplier, ZooKeeperOptions, Settings)}.
   *
   * @param options for the chroot and the rights on nodes; the servers only appear in messages
   * @param settings its lease must not be longer than the client's session timeout
   */
  public static LockEngine over(ZooKeeper client, ZooKeeperOptions options, Settings settings) {
    return over(() -> client, options, settings);
  }

  /**
   * Opens an engine over the caller's clients. The supplier is called when the engine first needs a
   * session, and again when that one is over: then it is to return a client with a new session. As
   * long as it returns the old one, or null, or throws, the store counts as unavailable and it is
   * called again. Holds of the old session are lost; waiters join again in the new one.
   *
   * <p>The supplier is called on the engine's threads, by one at a time, many times a second while
   * there is no session. It must not wait for long. The caller closes the clients, the last one
   * after the engine.
   *
   * @param options for the chroot and the rights on nodes; the servers only appear in messages
   * @param settings its lease must not be longer than the clients' session timeout
   */
  public static LockEngine over(
      Supplier<? extends ZooKeeper> clients, ZooKeeperOptions options, Settings settings) {
    return new ZooKeeperEngine(
        options.address(),
        options.chroot(),
        ClientFactory.callerSupplied(clients, options.clientSettings().acl()),
        settings);
  }

  private static EngineTraits traits(String address, Settings settings) {
    return new EngineTraits(
        address,
        EnumSet.allOf(Shape.Kind.class),
        EnumSet.allOf(Order.class),
        EnumSet.complementOf(EnumSet.of(Guarantee.PORTABLE_TICKETS)),
        /* blocking= */ true,
        settings.lanes() == 0 ? LANES : settings.lanes(),
        BATCH,
        RESERVE,
        Optional.of(settings.lease()));
  }

  TicketTable tickets() {
    return tickets;
  }

  Sessions sessions() {
    return sessions;
  }

  HeldLockScan heldLocks() {
    return heldLocks;
  }

  VerbContext verbs() {
    return verbs;
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw errors.refusals().closed();
    }
    return new ZooKeeperLane(verbs);
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
    heldNodes.reportTo(signal);
  }

  @Override
  public Optional<EngineInspector> inspector() {
    return Optional.of(inspector);
  }

  @Override
  public Optional<Counter> counter() {
    return Optional.of(counter);
  }

  /**
   * Ends the session, and with it all holds. A caller-supplied client keeps its session; this
   * engine's nodes are removed from it.
   */
  @Override
  public void close() {
    stop();
    sessions.close(session -> CloseCleanup.start(session, tickets, nanoTime));
  }

  /**
   * Closes the connection and leaves the session to the store: tickets stay until the session times
   * out. Tickets on a caller-supplied client stay as long as its session lasts. No other process
   * can take them over, because they belong to the session.
   */
  @Override
  public void detach() {
    stop();
    sessions.detach();
  }

  private void stop() {
    closed = true;
    own.close();
    heartbeat.close();
  }
}
