package io.holdfast.redis;

import io.holdfast.redis.wire.Members;
import io.holdfast.redis.wire.StartCheck;
import io.holdfast.redis.wire.Wirings;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The engine for several Redis servers that know nothing of each other, of which more than half
 * must agree: Redlock, with the fencing token as its ballot. Mutexes in order ANY; waiters poll.
 *
 * <p>Verbs go through {@link #lane()}: each lane has its own connections. Verbs that are called on
 * the engine itself share one more lane and take turns.
 */
public final class RedlockEngine implements BatchEngine {

  /*
   * Why no rival gets in: a grant is a majority of masters that have the ticket under one ballot,
   * and two majorities share a master, which has one ticket at a time until it leaves or its lease
   * has ended. The holder counts its lease from before the call was sent and takes off the time
   * that the answers took and what the masters' clocks may run faster, so it stops first. A master
   * that was restarted does not vote for new grants until all that it may have forgotten is over.
   *
   * Why tokens rise: a master accepts a ballot only above all that it has accepted before, so of
   * two grants one after the other the shared master has seen both, in this order. It never accepts
   * one beyond its clock and a minute; when it finds that it has forgotten, it starts at its clock
   * and a minute. The model in src/test/spin says so for every order of events.
   *
   * What breaks it: exclusion, when as many masters as the majority and the one before it share
   * step their clocks forward or are flushed while they run; tokens, when such a master's clock has
   * gone back by more than it was away. See docs/engines/redlock.md.
   */

  private static final int LANES = 2;
  private static final int BATCH = 64;
  private static final int ROUNDS_IN_A_VERB = 4;
  private static final Duration SPARE = Duration.ofSeconds(1);

  private final RedlockShared shared;
  private final StartCheck check;
  private final EngineTraits traits;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private RedlockEngine(
      Members members, StartCheck check, RedisOptions options, Settings settings) {
    this.check = check;
    this.shared =
        new RedlockShared(
            members,
            new RedlockBallots(settings.epochMicros()),
            new RedlockTickets(settings.nanoTime()),
            new Refusals(options.address()),
            settings.nanoTime(),
            options.nodeTimeout(),
            maxLease(options, settings.lease()),
            new LongAdder());
    this.traits = traits(options.address(), settings.lanes());
  }

  /**
   * Opens an engine; the servers need not be up.
   *
   * @throws IllegalArgumentException when the node timeout leaves no time for the rounds of a verb
   */
  public static RedlockEngine open(RedisOptions options, Settings settings) {
    Duration most = settings.operationTimeout().dividedBy(ROUNDS_IN_A_VERB);
    if (options.nodeTimeout().compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "nodeTimeout must be <= operationTimeout/"
              + ROUNDS_IN_A_VERB
              + ": nodeTimeout="
              + options.nodeTimeout()
              + " operationTimeout="
              + settings.operationTimeout());
    }
    StartCheck check = new StartCheck(options.strict());
    return new RedlockEngine(members(options, settings.lease(), check), check, options, settings);
  }

  /**
   * Tells all servers that the processes which run now have forgotten nothing: for the first start,
   * which otherwise waits until they have run for the longest lease. Only while nobody holds a lock
   * there; a restarted server has to wait again. Blocks for I/O.
   *
   * @throws EngineException when one of them cannot be reached; it may be called again
   */
  public static void init(RedisOptions options) throws EngineException {
    try (Members members = members(options, Duration.ZERO, new StartCheck(options.strict()))) {
      members.vouch();
    }
  }

  private static Members members(RedisOptions options, Duration lease, StartCheck check) {
    Duration longest = maxLease(options, lease);
    // By the servers' clocks, which may run faster; and what they tell is in whole seconds.
    Duration delay = longest.plus(longest.dividedBy(20)).plus(SPARE);
    return Wirings.openTogether(options, RedlockScripts.ALL, delay, check);
  }

  private static Duration maxLease(RedisOptions options, Duration lease) {
    return options.maxLease().compareTo(lease) > 0 ? options.maxLease() : lease;
  }

  private static EngineTraits traits(String store, int lanes) {
    return new EngineTraits(
        store,
        Set.of(Shape.Kind.MUTEX),
        Set.of(Order.ANY),
        Set.of(
            Guarantee.FENCING,
            Guarantee.ACROSS_PROCESSES,
            Guarantee.TOKENS_SURVIVE_RESTART,
            Guarantee.EXCLUSION_SURVIVES_RESTART),
        true,
        lanes == 0 ? LANES : lanes,
        BATCH,
        Duration.ZERO,
        Optional.empty());
  }

  Refusals refusals() {
    return shared.refusals();
  }

  /** Whether the masters are to be asked; if not, the verb has been refused here. */
  boolean mayAsk(Verb verb) {
    Ticket ticket = verb.ticket();
    if (verb instanceof Verb.Settle) {
      verb.fail(refusals().settle(ticket));
    } else if (verb instanceof Verb.Resize) {
      verb.fail(refusals().resize(ticket));
    } else if (!traits.serves(ticket.shape())) {
      Shape shape = ticket.shape();
      verb.fail(refusals().notServed(ticket.resource(), shape, whyNot(shape)));
    } else if (!(verb instanceof Verb.Leave) && ticket.lease().compareTo(shared.maxLease()) > 0) {
      verb.fail(tooLong(ticket));
    }
    return !verb.isComplete();
  }

  private EngineException tooLong(Ticket ticket) {
    return new EngineException.Refused(
        refusals().about(ticket)
            + " was asked for with a lease of "
            + ticket.lease()
            + ", and a restarted server waits only for one of "
            + shared.maxLease()
            + ": set maxLease, to the same for all clients");
  }

  @Override
  public String whyNot(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX ->
          "servers that know nothing of each other see those who wait in different orders, and no"
              + " majority of them has one order; use redis:, zookeeper: or etcd:";
      case SEMAPHORE ->
          "majorities overlap in one server, which says who holds the one lock; of several permits"
              + " each server would count another part, so that too many get in or none";
      case READ_WRITE ->
          "each of several readers would need its own majority, and a writer one that overlaps with"
              + " all of them, also with those of readers that some servers have lost";
      case ONCE ->
          "a mark must outlive its maker, and here only leases that somebody renews are safe when"
              + " servers are restarted";
    };
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw refusals().closed();
    }
    return new RedlockLane(this, shared);
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
  public EngineCondition condition() {
    List<String> warnings = new ArrayList<>(check.warnings());
    List<String> troubles = shared.members().troubles();
    warnings.addAll(troubles);
    return new EngineCondition(
        warnings,
        Map.of(
            "redlock.down", (long) troubles.size(),
            "redlock.owed", (long) shared.members().owed(),
            "redlock.split", shared.splits().sum(),
            "redlock.tickets", (long) shared.tickets().size()));
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    shared.members().close();
  }
}
