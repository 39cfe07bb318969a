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
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Locks in ZooKeeper. Every ticket is an ephemeral sequential node; both orders of mutexes, read
 * and write locks, semaphores and once are one structure, so that they exclude each other. Leases
 * are the session's: its time is the client's lease.
 */
public final class ZooKeeperEngine implements BatchEngine {

  /*
   * Why two are never in at once: places are given out by the store in the order of the joins, and
   * a list that was asked for after a join shows all who joined before, so the weights ahead of a
   * ticket are never underestimated; nobody can come between later. A node vanishes when its owner
   * deletes it, or with the session, which the leader ends when it has not heard of it for the
   * session's time. The holder stops believing before that: see Belief.
   *
   * Why tokens rise: the token is the number of the transaction that made the node, and the numbers
   * of a store rise over all changes of its leader; who is in later joined later.
   *
   * What breaks it: somebody who deletes nodes (the holder learns of it at its next renewal), a
   * leader whose process stands still, and an ensemble that lost its data.
   */

  private static final int BATCH = 100;
  private static final int LANES = 2;

  /** How often what nobody needs is looked for; also how old some of it must be. */
  private static final Duration SWEEP = Duration.ofMinutes(10);

  /** The line itself keeps the turn of whoever is next; this only says that it does. */
  private static final Duration RESERVE = Duration.ofMillis(5);

  private final Words words;
  private final HeldNodes heldNodes;
  private final Books books;
  private final Sessions sessions;
  private final Attempts attempts;
  private final Keeps keeps;
  private final Leaves leaves;
  private final Marks marks;
  private final Resizes resizes;
  private final Patrol patrol;
  private final Beat beat;
  private final EngineInspector inspector;
  private final Counter counter;
  private final EngineTraits traits;
  private final LongSupplier nanoTime;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private ZooKeeperEngine(String address, String chroot, Connector connector, Settings settings) {
    Layout layout = Layout.in(chroot);
    this.nanoTime = settings.nanoTime();
    this.words = new Words(address);
    this.heldNodes = new HeldNodes(nanoTime);
    this.books = new Books(nanoTime, settings.lease().toNanos(), heldNodes);
    Opening opening = new Opening(layout, connector.acl(), words, settings);
    this.sessions =
        new Sessions(connector, opening, words, nanoTime, settings.operationTimeout().toNanos());
    this.marks = new Marks(books);
    Joins joins = new Joins(words, books);
    Looks looks = new Looks(words, books, marks, new Permits(words));
    this.attempts = new Attempts(words, books, joins, looks, new Peeks(books, marks));
    this.patrol = new Patrol(books);
    this.keeps = new Keeps(words, books, patrol);
    this.leaves = new Leaves(books, joins, sessions::peek);
    this.resizes = new Resizes(words, books);
    this.traits = traits(address, settings);
    this.inspector =
        new ZooKeeperInspector(
            sessions,
            layout,
            new LineReader(layout, marks, nanoTime),
            words,
            settings.operationTimeout().toNanos());
    this.counter =
        new SwapCounter(new CounterNodes(sessions, layout, words, settings), address, settings);
    Broom broom = new Broom(sessions, layout, marks, nanoTime, SWEEP.toMillis());
    this.beat = new Beat(sessions, books, patrol, heldNodes, nanoTime, broom::sweep);
  }

  /**
   * Opens an engine with a connection of its own; the servers need not be up.
   *
   * @param settings its lease is the session's time
   */
  public static LockEngine open(ZooKeeperOptions options, Settings settings) {
    return open(options, options.address(), settings);
  }

  /** The same, known by another address. */
  static LockEngine open(ZooKeeperOptions options, String address, Settings settings) {
    int millis = Math.toIntExact(settings.lease().toMillis());
    return new ZooKeeperEngine(address, options.chroot(), Connector.own(options, millis), settings);
  }

  /**
   * An engine over a client that the program has already, and closes itself, after the engine. When
   * its session is over, so is the engine: make a new one over a new client.
   *
   * @param options for the chroot and the rights on nodes; the servers are only shown
   * @param settings its lease must not be longer than the client's session
   */
  public static LockEngine over(ZooKeeper client, ZooKeeperOptions options, Settings settings) {
    var acl =
        options.acl() == ZooKeeperOptions.Acl.CREATOR
            ? ZooDefs.Ids.CREATOR_ALL_ACL
            : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    return new ZooKeeperEngine(
        options.address(), options.chroot(), Connector.lent(client, acl), settings);
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

  Words words() {
    return words;
  }

  Patrol patrol() {
    return patrol;
  }

  Books books() {
    return books;
  }

  Sessions sessions() {
    return sessions;
  }

  Attempts attempts() {
    return attempts;
  }

  Keeps keeps() {
    return keeps;
  }

  Leaves leaves() {
    return leaves;
  }

  Marks marks() {
    return marks;
  }

  Resizes resizes() {
    return resizes;
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw words.refusals().closed();
    }
    return new ZooKeeperLane(this);
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
   * Ends the session, and with it everything that is held. A caller-supplied client keeps its
   * session, and what is ours there is taken out.
   */
  @Override
  public void close() {
    stop();
    sessions.close(lent -> Farewell.say(lent, books, nanoTime));
  }

  /**
   * Closes the connection and leaves the session to the store: tickets stay until the session's
   * time has passed. Those on a caller-supplied client stay for as long as its session lasts. No
   * other process can go on with them: they belong to the session.
   */
  @Override
  public void detach() {
    stop();
    sessions.detach();
  }

  private void stop() {
    closed = true;
    own.close();
    beat.close();
  }
}
