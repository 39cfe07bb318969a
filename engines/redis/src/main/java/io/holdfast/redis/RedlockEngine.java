package io.holdfast.redis;

import io.holdfast.redis.connection.ServerCheck;
import io.holdfast.redis.redlock.RedlockBallots;
import io.holdfast.redis.redlock.RedlockContext;
import io.holdfast.redis.redlock.RedlockLane;
import io.holdfast.redis.redlock.RedlockMasters;
import io.holdfast.redis.redlock.RedlockTicketTable;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.OwnLane;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * The engine for independent Redis servers, more than half of which must agree.
 *
 * <p>This is Redlock, with the fencing token as its ballot. It serves mutexes in order ANY; waiters
 * poll.
 *
 * <p>Verbs go through {@link #lane()}: each lane has its own connections. Verbs called on the
 * engine itself share one more lane and take turns.
 */
public final class RedlockEngine implements BatchEngine {

  /*
   * Why no rival gets in: a grant is a majority of masters that have the ticket under one ballot,
   * and two majorities share a master, which has one ticket at a time until it leaves or its lease
   * has ended. The holder counts its lease from before the call was sent and subtracts the time
   * that the replies took and what the masters' clocks may run faster, so it stops first. A
   * restarted master does not vote for new grants until all grants that it may have forgotten have
   * ended.
   *
   * Why tokens rise: a master accepts a ballot only above all that it has accepted before, so of
   * two grants one after the other the shared master has seen both, in this order. It never accepts
   * one beyond its clock and a minute; when it finds that it has forgotten, it starts at its clock
   * and a minute. The model in src/test/spin checks this for every order of events.
   *
   * What breaks it: exclusion, when as many masters as the majority and the one before it share
   * step their clocks forward or are flushed while they run; tokens, when such a master's clock
   * has gone back by more than it was down. See docs/engines/redlock.md.
   */

  private static final int LANES = 2;
  private static final int BATCH = 64;
  private static final int ROUNDS_IN_A_VERB = 4;
  private static final Duration SPARE = Duration.ofSeconds(1);

  private final RedlockContext context;
  private final ServerCheck check;
  private final OwnLane own = new OwnLane(this::lane);
  private volatile boolean closed;

  private RedlockEngine(
      RedlockMasters masters, ServerCheck check, RedisOptions options, Settings settings) {
    this.check = check;
    this.context =
        new RedlockContext(
            traits(options.address(), settings.lanes()),
            masters,
            new RedlockBallots(settings.epochMicros()),
            new RedlockTicketTable(settings.nanoTime()),
            settings.nanoTime(),
            options.nodeTimeout(),
            maxLease(options, settings.lease()),
            new LongAdder());
  }

  /**
   * Opens an engine; the servers need not be up.
   *
   * @throws IllegalArgumentException if the node timeout leaves no time for the rounds of a verb
   */
  public static RedlockEngine open(RedisOptions options, Settings settings) {
    Duration most = settings.operationTimeout().dividedBy(ROUNDS_IN_A_VERB);
    if (options.nodeTimeout().compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "nodeTimeout must be <= operationTimeout/"
              + ROUNDS_IN_A_VERB
              + ": nodeTimeout="
              + DurationText.of(options.nodeTimeout())
              + " operationTimeout="
              + DurationText.of(settings.operationTimeout()));
    }
    ServerCheck check = new ServerCheck(options.strict());
    return new RedlockEngine(masters(options, settings.lease(), check), check, options, settings);
  }

  /**
   * Declares that the running server processes have forgotten nothing, for the first start.
   *
   * <p>Without it, no lock is granted until they have run for the longest lease. Call it only while
   * no lock is held there; a restarted server has to wait again. Blocks for I/O.
   *
   * @throws EngineException if one of them cannot be reached; it may be called again
   */
  public static void init(RedisOptions options) throws EngineException {
    try (RedlockMasters masters =
        masters(options, Duration.ZERO, new ServerCheck(options.strict()))) {
      masters.vouch();
    }
  }

  private static RedlockMasters masters(RedisOptions options, Duration lease, ServerCheck check) {
    Duration longest = maxLease(options, lease);
    // By the servers' clocks, which may run faster, and in whole seconds.
    Duration delay = longest.plus(longest.dividedBy(20)).plus(SPARE);
    return RedlockMasters.open(options, RedlockLane.SCRIPTS, delay, check);
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

  @Override
  public String whyNot(Shape shape) {
    return RedlockContext.whyNot(shape);
  }

  @Override
  public LockEngine lane() throws EngineException {
    if (closed) {
      throw context.refusals().closed();
    }
    return new RedlockLane(context);
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
  public EngineCondition condition() {
    List<String> warnings = new ArrayList<>(check.warnings());
    List<String> troubles = context.masters().troubles();
    warnings.addAll(troubles);
    return new EngineCondition(
        warnings,
        Map.of(
            "redlock.down", (long) troubles.size(),
            "redlock.owed", (long) context.masters().deferred(),
            "redlock.split", context.splits().sum(),
            "redlock.tickets", (long) context.tickets().size()));
  }

  @Override
  public void close() {
    closed = true;
    own.close();
    context.masters().close();
  }
}
