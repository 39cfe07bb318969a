package io.holdfast.tck;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An engine behind a bad line: loses, doubles, delays and refuses verbs as a test tells it, and
 * remembers what reached the store.
 *
 * <p>Faults of "the next" verb are used up one by one in the order in which they were asked for; a
 * fault of a certain {@link VerbKind} waits for the next verb of this kind. May be told from any
 * thread.
 */
public final class FaultyEngine implements LockEngine {

  /**
   * A verb that reached the store.
   *
   * @param number counted from 0 in the order of arrival
   * @param ticket as it was sent
   * @param answer the store's answer as text, whether or not it got back to the caller
   */
  public record Seen(int number, VerbKind kind, Ticket ticket, String answer) {}

  private final LockEngine real;
  private final EngineTraits traits;
  private final Straits straits;
  private final FaultyLane self;

  private FaultyEngine(LockEngine real, EngineTraits traits) {
    this.real = real;
    this.traits = traits;
    this.straits = new Straits(real);
    this.self = new FaultyLane(this, real, straits);
  }

  /** A bad line to this engine; everything is well until a test says otherwise. */
  public static FaultyEngine over(LockEngine engine) {
    return new FaultyEngine(engine, engine.traits());
  }

  /**
   * The same, but the engine says that it blocks, so that the runtime gives it lanes with threads
   * of their own, as it does for a real store: needed for {@link #hang()}.
   */
  public static FaultyEngine withLanes(LockEngine engine) {
    EngineTraits t = engine.traits();
    return new FaultyEngine(
        engine,
        new EngineTraits(
            t.store(),
            t.kinds(),
            t.orders(),
            t.guarantees(),
            /* blocking= */ true,
            t.lanes(),
            t.batch(),
            t.reserve(),
            t.sessionLease()));
  }

  /** The next verb is executed, and its answer gets lost. */
  public void loseNextReply() {
    straits.plan.add(null, Fault.LOST_REPLY);
  }

  /** The next verb of this kind is executed, and its answer gets lost. */
  public void loseNextReply(VerbKind kind) {
    straits.plan.add(kind, Fault.LOST_REPLY);
  }

  /** The next verb never reaches the store, and the caller cannot know. */
  public void loseNextRequest() {
    straits.plan.add(null, Fault.LOST_REQUEST);
  }

  /** The next verb of this kind never reaches the store, and the caller cannot know. */
  public void loseNextRequest(VerbKind kind) {
    straits.plan.add(kind, Fault.LOST_REQUEST);
  }

  /** The next verb is turned away before it reaches the store, and the caller knows. */
  public void failNextNotDone() {
    straits.plan.add(null, Fault.NOT_DONE);
  }

  /** The next verb of this kind is turned away before it reaches the store. */
  public void failNextNotDone(VerbKind kind) {
    straits.plan.add(kind, Fault.NOT_DONE);
  }

  /** The next verb is executed twice; the first answer counts. */
  public void doubleNext() {
    straits.plan.add(null, Fault.DOUBLED);
  }

  /** The next verb of this kind is executed twice; the first answer counts. */
  public void doubleNext(VerbKind kind) {
    straits.plan.add(kind, Fault.DOUBLED);
  }

  /** The next verb has no answer and reaches the store at {@link #deliverLate()}. */
  public void delayNext() {
    straits.plan.add(null, Fault.LATE);
  }

  /** The next verb of this kind has no answer and reaches the store at {@link #deliverLate()}. */
  public void delayNext(VerbKind kind) {
    straits.plan.add(kind, Fault.LATE);
  }

  /**
   * Lets all late verbs reach the store now; nobody hears their answers.
   *
   * @return how many there were
   */
  public int deliverLate() {
    return straits.deliverLate();
  }

  /** The next verb is refused for good, without reaching the store. */
  public void refuseNext() {
    straits.plan.add(null, Fault.REFUSED);
  }

  /** The next verb of this kind is refused for good, without reaching the store. */
  public void refuseNext(VerbKind kind) {
    straits.plan.add(kind, Fault.REFUSED);
  }

  /**
   * From now on verbs get stuck on their way, as with a store that is stopped. Those whose lane was
   * given up meanwhile arrive late, at {@link #unhang()}.
   *
   * @throws IllegalStateException when the engine does not block: the caller itself would hang
   */
  public void hang() {
    if (!traits.blocking()) {
      throw new IllegalStateException(
          "verbs of " + traits.store() + " run on the caller's thread; use withLanes");
    }
    straits.hang(true);
  }

  /** The store goes on. */
  public void unhang() {
    straits.hang(false);
    straits.deliverLate();
  }

  /** From now on no verb reaches the store, the caller knows it, and no wake comes back. */
  public void cut() {
    straits.plan.cut(true);
  }

  /** From now on no verb about this name reaches the store, and the caller knows it. */
  public void cut(String name) {
    straits.plan.cut(name, true);
  }

  /** Ends {@link #cut()}. */
  public void heal() {
    straits.plan.cut(false);
  }

  /** Ends {@link #cut(String)}. */
  public void heal(String name) {
    straits.plan.cut(name, false);
  }

  /** Whether wakes get lost. */
  public void dropWakes(boolean drop) {
    straits.dropWakes(drop);
  }

  /**
   * From now on this share of all verbs meets a fault by chance. Verbs that are late by chance
   * arrive at {@link #deliverLate()}.
   *
   * @param share 0 for none up to 1 for all
   */
  public void randomly(long seed, double share) {
    straits.plan.byChance(seed, share);
  }

  /** What reached the store, in the order of arrival. */
  public List<Seen> reached() {
    return straits.log.all();
  }

  /** What of this kind about this name reached the store, in the order of arrival. */
  public List<Seen> reached(VerbKind kind, String name) {
    return straits.log.all().stream()
        .filter(seen -> seen.kind() == kind && seen.ticket().resource().name().equals(name))
        .toList();
  }

  /**
   * Where the caller broke a rule that engines rely on: two verbs of one ticket at a time, or two
   * attempts for one resource in one batch. Empty for a runtime that is right.
   */
  public List<String> breaches() {
    return straits.log.breaches();
  }

  LockEngine real() {
    return real;
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return self.attempt(ticket, wake);
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    return self.renew(ticket);
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    return self.leave(ticket, inDoubt);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    return self.settle(ticket, keep);
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    return self.resize(ticket);
  }

  @Override
  public void perform(List<Verb> batch) {
    self.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  /** Answers itself when the engine does not block. */
  @Override
  public LockEngine lane() throws EngineException {
    return traits.blocking() ? new FaultyLane(this, real.lane(), straits) : this;
  }

  /** As it is: a counter has no tickets whose verbs could be lost or doubled. */
  @Override
  public Optional<Counter> counter() {
    return real.counter();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    real.reportChangesTo(straits.through(signal));
  }

  /** The real one: operators have a line of their own. */
  @Override
  public Optional<EngineInspector> inspector() {
    return real.inspector();
  }

  @Override
  public void close() {
    straits.hang(false);
    real.close();
  }

  @Override
  public void detach() {
    straits.hang(false);
    real.detach();
  }
}
