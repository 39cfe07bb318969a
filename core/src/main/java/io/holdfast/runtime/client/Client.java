package io.holdfast.runtime.client;

import io.holdfast.Health;
import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.OverloadedException;
import io.holdfast.Stats;
import io.holdfast.World;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.acquire.DirectAcquire;
import io.holdfast.runtime.acquire.DirectRelease;
import io.holdfast.runtime.acquire.HandOverPolicy;
import io.holdfast.runtime.acquire.Leaver;
import io.holdfast.runtime.acquire.LocalLines;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.runtime.lane.Lane;
import io.holdfast.runtime.primitive.ThreadHolds;
import io.holdfast.runtime.renew.HostClocks;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.runtime.renew.Renewals;
import io.holdfast.runtime.time.Jitter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.DurationText;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The parts that one client shares, and how it opens. */
public final class Client {

  public static final Runnable NOTHING = () -> {};

  private static final System.Logger LOG = System.getLogger("io.holdfast");

  /** Less a third at random: from 80 to 120 ms, and in the end from 400 to 600 ms. */
  private static final Duration FIRST_POLL = Duration.ofMillis(120);

  private static final Duration LONGEST_POLL = Duration.ofMillis(600);
  private static final double JITTER = 1.0 / 3;

  private final World world;
  private final HostClocks clocks;
  private final LockEngine engine;
  private final EngineTraits traits;
  private final HoldfastOptions options;
  private final Lane lane;
  private final HandOverPolicy handOver;
  private final Jitter jitter;
  private final RetryDelay polling;
  private final OwnerLabels owners;
  private final StoreStatus storeStatus;
  private final Callbacks callbacks;
  private final Renewals renewals;
  private final Leaver leaver;
  private final LocalLines localLines;
  private final ThreadHolds threadHolds = new ThreadHolds();
  private final Set<DirectAcquire> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicLong tickets = new AtomicLong();
  private final AtomicLong holds = new AtomicLong();
  private final AtomicLong lanesReplaced = new AtomicLong();
  private final long secretHigh;
  private final long secretLow;
  private final long publicId;
  private final ClientShutdown closing;
  private final DirectRelease wayOut;

  public Client(
      LockEngine engine, HoldfastOptions options, World world, Lane lane, HandOverPolicy handOver) {
    this(engine, options, world, lane, handOver, new HostClocks(world));
  }

  /** For the simulation, which supplies its own lane and plants bugs in the policies. */
  public Client(
      LockEngine engine,
      HoldfastOptions options,
      World world,
      Lane lane,
      HandOverPolicy handOver,
      HostClocks clocks) {
    this.world = world;
    this.clocks = clocks;
    this.engine = engine;
    this.traits = engine.traits();
    this.options = options;
    this.handOver = handOver;
    this.jitter = new Jitter(world.secret());
    this.polling = retryDelay(FIRST_POLL, LONGEST_POLL);
    this.owners = new OwnerLabels(options);
    this.storeStatus = new StoreStatus(world);
    this.callbacks = new Callbacks(world);
    this.secretHigh = world.secret();
    this.secretLow = world.secret();
    this.publicId = world.secret();
    this.lane = lane;
    this.renewals = new Renewals(this);
    this.leaver = new Leaver(this);
    this.localLines = new LocalLines(this);
    this.closing = new ClientShutdown(this);
    this.wayOut = new DirectRelease(this);
    engine.reportChangesTo(renewals::check);
  }

  public static Client open(LockEngine engine, HoldfastOptions options, World world) {
    Lane lane = Lane.open(engine, options, world);
    Client client = new Client(engine, options, world, lane, new HandOverPolicy(engine.traits()));
    ClientView view = client.view(options);
    lane.onReplaced(
        name -> {
          client.lanesReplaced.incrementAndGet();
          view.tell(() -> new HoldfastListener.LaneReplaced(LockName.UNTAGGED, name));
        });
    if (options.failFast()) {
      try {
        new StoreProbe(client).requireAnswer();
      } catch (HoldfastException e) {
        client.close(Duration.ZERO);
        throw e;
      }
    }
    return client;
  }

  /** Creates a view; its lease limits how long the reserved lane may take. */
  public ClientView view(HoldfastOptions changed) {
    Duration lease = traits.sessionLease().orElse(changed.lease());
    boolean differs = !changed.lease().equals(options.lease()) || changed.fixedLease();
    if (traits.sessionLease().isPresent() && differs) {
      throw new LockRefusedException(
          "the lease at "
              + store()
              + " is the session's, "
              + DurationText.of(lease)
              + "; a single call cannot have another one: lease="
              + DurationText.of(changed.lease()),
          null);
    }
    lane.allowFor(lease.toNanos());
    return new ClientView(this, changed, new LeaseTerms(changed, lease));
  }

  public World world() {
    return world;
  }

  public HostClocks clocks() {
    return clocks;
  }

  public LockEngine engine() {
    return engine;
  }

  public EngineTraits traits() {
    return traits;
  }

  /** Returns the store's address, without secrets. */
  public String store() {
    return traits.store();
  }

  public HoldfastOptions options() {
    return options;
  }

  public Lane lane() {
    return lane;
  }

  public HandOverPolicy handOver() {
    return handOver;
  }

  public Jitter jitter() {
    return jitter;
  }

  /** Returns how long waiters pause between two polls, also where signals wake them. */
  public RetryDelay polling() {
    return polling;
  }

  /** Returns delays that jitter cuts by up to a third, so that clients do not act in step. */
  public RetryDelay retryDelay(Duration first, Duration longest) {
    return new RetryDelay(first, longest, jitter::nextDouble).withSpread(JITTER);
  }

  public StoreStatus storeStatus() {
    return storeStatus;
  }

  public Renewals renewals() {
    return renewals;
  }

  public Leaver leaver() {
    return leaver;
  }

  public LocalLines localLines() {
    return localLines;
  }

  public DirectRelease wayOut() {
    return wayOut;
  }

  public ThreadHolds threadHolds() {
    return threadHolds;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  public Set<DirectAcquire> waiting() {
    return waiting;
  }

  public long nextHoldNumber() {
    return holds.incrementAndGet();
  }

  /** Returns the public id of a hold: the client's public random number and a counter. */
  public String holdId(long number) {
    return Long.toHexString(publicId) + "-" + Long.toHexString(number);
  }

  /** Creates a claim for a line of this client. */
  public Claim claim(LocalLines.Key key, AcquireRequest request, boolean waits) {
    return claim(request, key.terms(), Shape.mutex(Order.ANY), 1, waits);
  }

  public Claim claim(
      AcquireRequest request, LeaseTerms terms, Shape shape, int weight, boolean waits) {
    return new Claim(this, terms, ticket(request, terms, shape, weight, waits));
  }

  public Ticket ticket(
      AcquireRequest request, LeaseTerms terms, Shape shape, int weight, boolean waits) {
    return new Ticket(
        new Ticket.Id(secretHigh, secretLow, tickets.incrementAndGet()),
        request.resource(),
        shape,
        weight,
        terms.stored(),
        terms.generation(),
        waits,
        owners.label(request),
        terms.fixed());
  }

  /** Rejects a request before it is queued: closed, unsupported or overloaded. */
  public void admit(Shape shape, Resource resource) {
    if (closing.isDraining()) {
      throw new HoldfastClosedException(
          "client of "
              + store()
              + (closing.isClosing() ? " is closed; " : " is draining and takes no new work; ")
              + resource
              + " was not requested",
          null);
    }
    if (!traits.serves(shape)) {
      EngineException why = new Refusals(store()).notServed(resource, shape, engine.whyNot(shape));
      throw new LockRefusedException(String.valueOf(why.getMessage()), null);
    }
    if (lane.isFull()) {
      throw new OverloadedException(
          "more than "
              + options.queueLimit()
              + " attempts wait for "
              + store()
              + " already; "
              + resource
              + " was not requested; slow down, or raise queueLimit",
          null);
    }
  }

  public void waitingHere(DirectAcquire direct) {
    waiting.add(direct);
    if (closing.isDraining()) {
      direct.close();
    }
  }

  public void notWaitingHere(DirectAcquire direct) {
    waiting.remove(direct);
  }

  /** Reports busy on behalf of the store: it granted the claim to this very client. */
  public Standing.Waiting heldHere(Claim claim) {
    Duration left = Duration.ofNanos(Math.max(1, claim.remaining()));
    HoldState holdState = claim.holdState();
    return new Standing.Waiting(
        1,
        left,
        holdState == null
            ? Optional.empty()
            : Optional.of(
                new Standing.Holder(owners.label(holdState.request()), holdState.token(), left)));
  }

  /**
   * Notifies the holder of a claim that is over, and removes the claim. A holder that ran out of
   * time or held too long may still be at work: the store keeps its claim until the lease has ended
   * there, including its lockDelay, so that the holder is notified before a rival gets in.
   */
  public void tellLoss(Claim claim, Loss.Cause cause, String reason) {
    HoldState holdState = claim.holdState();
    try {
      if (holdState != null) {
        holdState.lose(cause, reason);
      }
    } finally {
      if (cause == Loss.Cause.EXPIRED || cause == Loss.Cause.MAX_HOLD) {
        leaver.takeOverWhenEnded(claim);
      } else {
        leaver.takeOver(claim);
      }
    }
  }

  /** Ends the hold of a claim as lost. */
  public void lose(Claim claim, Loss.Cause cause, String reason) {
    HoldState holdState = claim.holdState();
    if (holdState != null) {
      holdState.route().lost(claim, cause, reason);
    }
  }

  /** An acquire has waited long: logs it if this client itself holds the lock. */
  public void concern(AcquireRequest request) {
    // Not the hold that this very acquire has just been granted, and that its thread has not seen.
    HoldState held =
        renewals.heldOn(request.resource(), holdState -> holdState.request() != request);
    if (held != null) {
      log(
          System.Logger.Level.WARNING,
          waitsFor(request) + ", which this same client already holds, token " + heldAt(held));
    }
  }

  /**
   * An acquire has waited for a while: logs it if its own thread holds the lock, because it would
   * wait for ever. Permits do not count: other threads may release theirs.
   *
   * @return whether it was logged
   */
  public boolean concernForItself(AcquireRequest request) {
    HoldState held =
        renewals.heldOn(
            request.resource(),
            holdState ->
                holdState.request() != request
                    && holdState.request().isOfSameThread(request)
                    && holdState.claim().ticket().shape().kind() != Shape.Kind.SEMAPHORE);
    if (held != null) {
      log(
          System.Logger.Level.WARNING,
          waitsFor(request)
              + ", which this same thread already holds; acquire is not re-entrant: pass the hold"
              + " on, or use asJavaLock(); token "
              + heldAt(held));
    }
    return held != null;
  }

  private static String waitsFor(AcquireRequest request) {
    return "thread "
        + request.thread()
        + " has waited "
        + request.waited().toSeconds()
        + " s for "
        + request.resource();
  }

  private static String heldAt(HoldState holdState) {
    return holdState.token() + holdState.place();
  }

  /** Runs a user's callback where it may block. */
  public void call(Runnable callback) {
    callbacks.call(callback);
  }

  public Health health() {
    return closing.isClosing()
        ? new Health(
            Health.Status.CLOSED,
            "client of " + store() + " is closed",
            0,
            0,
            storeStatus.lastAnswer(),
            List.of(),
            Map.of())
        : new StoreProbe(this).health();
  }

  public boolean isClosing() {
    return closing.isClosing();
  }

  /** Returns whether no new acquire is admitted, because the client drains or closes. */
  public boolean isDraining() {
    return closing.isDraining();
  }

  public boolean drain(Duration atMost) {
    return closing.drain(atMost);
  }

  public Stats stats() {
    return new Stats(
        renewals.size(),
        waitingCallers(),
        renewals.failing(),
        leaver.size(),
        lanesReplaced.get(),
        closing.isDraining());
  }

  /** Returns the number of waiting callers. */
  int waitingCallers() {
    return waiting.size() + localLines.waiting();
  }

  public boolean isLeftBehindAfter(long nanos) {
    return closing.isLeftBehindAfter(nanos);
  }

  public boolean isClosed() {
    return closing.isOver();
  }

  public void close(Duration grace) {
    closing.close(grace);
  }

  public void log(System.Logger.Level level, String message) {
    LOG.log(level, message);
  }
}
