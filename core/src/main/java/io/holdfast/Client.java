package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the parts of one client share, and how it opens. */
final class Client {

  static final Runnable NOTHING = () -> {};

  private static final System.Logger LOG = System.getLogger("io.holdfast");

  private final World world;
  private final HostClocks clocks;
  private final LockEngine engine;
  private final EngineTraits traits;
  private final HoldfastOptions options;
  private final Lane lane;
  private final HandOver handOver;
  private final Jitter jitter;
  private final Owners owners;
  private final Pulse pulse;
  private final Callbacks callbacks;
  private final Renewals renewals;
  private final Leaver leaver;
  private final LocalLines localLines;
  private final ThreadHolds threadHolds = new ThreadHolds();
  private final Set<Direct> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicLong tickets = new AtomicLong();
  private final AtomicLong holds = new AtomicLong();
  private final long secretHigh;
  private final long secretLow;
  private final long publicId;
  private final Closing closing;
  private final WayOut wayOut;

  Client(LockEngine engine, HoldfastOptions options, World world, Lane lane, HandOver handOver) {
    this(engine, options, world, lane, handOver, new HostClocks(world));
  }

  /** For the simulation, which brings its own lane, and whose bugs are in rules that it bends. */
  Client(
      LockEngine engine,
      HoldfastOptions options,
      World world,
      Lane lane,
      HandOver handOver,
      HostClocks clocks) {
    this.world = world;
    this.clocks = clocks;
    this.engine = engine;
    this.traits = engine.traits();
    this.options = options;
    this.handOver = handOver;
    this.jitter = new Jitter(world.secret());
    this.owners = new Owners(options);
    this.pulse = new Pulse(world);
    this.callbacks = new Callbacks(world);
    this.secretHigh = world.secret();
    this.secretLow = world.secret();
    this.publicId = world.secret();
    this.lane = lane;
    this.renewals = new Renewals(this);
    this.leaver = new Leaver(this);
    this.localLines = new LocalLines(this);
    this.closing = new Closing(this);
    this.wayOut = new WayOut(this);
    engine.reportChangesTo(renewals::check);
  }

  static Client open(LockEngine engine, HoldfastOptions options, World world) {
    EngineTraits traits = engine.traits();
    HandOver handOver = new HandOver(traits);
    Client client;
    if (traits.blocking()) {
      Lanes lanes = Lanes.open(engine, options, world);
      client = new Client(engine, options, world, lanes, handOver);
      View view = client.view(options);
      lanes.onReplaced(
          lane -> view.tell(() -> new HoldfastListener.LaneReplaced("untagged", lane)));
    } else {
      client = new Client(engine, options, world, new CallerLane(engine), handOver);
    }
    if (options.failFast()) {
      try {
        new Probe(client).requireAnswer();
      } catch (HoldfastException e) {
        client.close(Duration.ZERO);
        throw e;
      }
    }
    return client;
  }

  /** A view; its lease counts for how long the reserved lane may take. */
  View view(HoldfastOptions changed) {
    Duration lease = traits.sessionLease().orElse(changed.lease());
    boolean differs = !changed.lease().equals(options.lease()) || changed.fixedLease();
    if (traits.sessionLease().isPresent() && differs) {
      throw new LockRefusedException(
          "the lease at "
              + store()
              + " is the session's, "
              + lease
              + "; another one for a call is not possible: lease="
              + changed.lease(),
          null);
    }
    lane.allowFor(lease.toNanos());
    return new View(this, changed, new Terms(changed, lease));
  }

  World world() {
    return world;
  }

  HostClocks clocks() {
    return clocks;
  }

  LockEngine engine() {
    return engine;
  }

  EngineTraits traits() {
    return traits;
  }

  /** The store's address, without secrets. */
  String store() {
    return traits.store();
  }

  HoldfastOptions options() {
    return options;
  }

  Lane lane() {
    return lane;
  }

  HandOver handOver() {
    return handOver;
  }

  Jitter jitter() {
    return jitter;
  }

  Pulse pulse() {
    return pulse;
  }

  Renewals renewals() {
    return renewals;
  }

  Leaver leaver() {
    return leaver;
  }

  LocalLines localLines() {
    return localLines;
  }

  WayOut wayOut() {
    return wayOut;
  }

  ThreadHolds threadHolds() {
    return threadHolds;
  }

  Callbacks callbacks() {
    return callbacks;
  }

  Set<Direct> waiting() {
    return waiting;
  }

  long nextHoldNumber() {
    return holds.incrementAndGet();
  }

  /** The public id of a hold: the client's public random number and a counter. */
  String holdId(long number) {
    return Long.toHexString(publicId) + "-" + Long.toHexString(number);
  }

  /** A claim for a line of this client. */
  Claim claim(LocalLines.Key key, Request request, boolean waits) {
    return claim(request, key.terms(), Shape.mutex(Order.ANY), 1, waits);
  }

  Claim claim(Request request, Terms terms, Shape shape, int weight, boolean waits) {
    return new Claim(this, terms, ticket(request, terms, shape, weight, waits));
  }

  Ticket ticket(Request request, Terms terms, Shape shape, int weight, boolean waits) {
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

  /** Says no at the door: closed, not served, overloaded. */
  void admit(Shape shape, Resource resource) {
    if (closing.isClosing()) {
      throw new HoldfastClosedException(
          "client of " + store() + " is closed; " + resource + " was not asked for", null);
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
              + " was not asked for; slow down, or raise queueLimit",
          null);
    }
  }

  void waitingHere(Direct direct) {
    waiting.add(direct);
    if (closing.isClosing()) {
      direct.close();
    }
  }

  void notWaitingHere(Direct direct) {
    waiting.remove(direct);
  }

  /** Says busy on behalf of the store: it granted the claim to this very client. */
  Standing.Waiting heldHere(Claim claim) {
    Duration left = Duration.ofNanos(Math.max(1, claim.remaining()));
    Tenure tenure = claim.tenure();
    return new Standing.Waiting(
        1,
        left,
        tenure == null
            ? Optional.empty()
            : Optional.of(
                new Standing.Holder(owners.label(tenure.request()), tenure.token(), left)));
  }

  /**
   * Tells the holder of a claim that is over, and sees the claim out. A holder that ran out of time
   * or held too long may still be at work: the store keeps its claim until the lease has ended
   * there, and its lockDelay too, so that the holder has heard of it before a rival is in.
   */
  void tellLoss(Claim claim, Loss.Cause cause, String reason) {
    Tenure tenure = claim.tenure();
    try {
      if (tenure != null) {
        tenure.lose(cause, reason);
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
  void lose(Claim claim, Loss.Cause cause, String reason) {
    Tenure tenure = claim.tenure();
    if (tenure != null) {
      tenure.exit().lost(claim, cause, reason);
    }
  }

  /** An acquire has waited long: says so in the log if this client itself is in the way. */
  void concern(Request request) {
    Tenure held = renewals.heldOn(request.resource(), tenure -> true);
    if (held != null) {
      log(
          System.Logger.Level.WARNING,
          waitsFor(request) + ", which this same client already holds, token " + heldAt(held));
    }
  }

  /**
   * An acquire has waited for a while: says so in the log if its own thread is in the way, which
   * would wait for ever. Permits do not count: others may give theirs back.
   *
   * @return whether it said so
   */
  boolean concernForItself(Request request) {
    Tenure held =
        renewals.heldOn(
            request.resource(),
            tenure ->
                tenure.request().isOfSameThread(request)
                    && tenure.claim().ticket().shape().kind() != Shape.Kind.SEMAPHORE);
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

  private static String waitsFor(Request request) {
    return "thread "
        + request.thread()
        + " has waited "
        + request.waited().toSeconds()
        + " s for "
        + request.resource();
  }

  private static String heldAt(Tenure tenure) {
    return tenure.token() + tenure.place();
  }

  /** Runs a user's callback where it may block. */
  void call(Runnable callback) {
    callbacks.call(callback);
  }

  Health health() {
    return closing.isClosing()
        ? new Health(
            Health.Status.CLOSED,
            "client of " + store() + " is closed",
            0,
            0,
            pulse.lastAnswer(),
            List.of(),
            Map.of())
        : new Probe(this).health();
  }

  boolean isClosing() {
    return closing.isClosing();
  }

  boolean isLeftBehindAfter(long nanos) {
    return closing.isLeftBehindAfter(nanos);
  }

  boolean isClosed() {
    return closing.isOver();
  }

  void close(Duration grace) {
    closing.close(grace);
  }

  void log(System.Logger.Level level, String message) {
    LOG.log(level, message);
  }
}
