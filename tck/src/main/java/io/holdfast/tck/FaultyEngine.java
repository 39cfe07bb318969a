package io.holdfast.tck;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
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
import java.util.Set;

/**
 * An engine that injects faults: it loses, doubles, delays and refuses verbs.
 *
 * <p>It forwards verbs to a real engine and records those that reached the store. A fault of "the
 * next verb" applies to one verb; several are used in the order in which they were added. A fault
 * of a certain {@link VerbKind} applies to the next verb of that kind. Thread-safe.
 */
public final class FaultyEngine implements LockEngine {

  /**
   * A verb that reached the store.
   *
   * @param number counted from 0 in the order of arrival
   * @param ticket the ticket as sent
   * @param answer the store's reply as text, whether or not the client received it
   */
  public record Seen(int number, VerbKind kind, Ticket ticket, String answer) {}

  private final LockEngine real;
  private final EngineTraits traits;
  private final FaultyConnection connection;
  private final FaultyLane self;

  private FaultyEngine(LockEngine real, EngineTraits traits) {
    this.real = real;
    this.traits = traits;
    this.connection = new FaultyConnection(real);
    this.self = new FaultyLane(this, real, connection);
  }

  /** Returns a faulty engine in front of this engine; at first it injects no fault. */
  public static FaultyEngine over(LockEngine engine) {
    return new FaultyEngine(engine, engine.traits());
  }

  /**
   * Returns a faulty engine that claims to block, so that the runtime performs its verbs on lanes
   * with their own threads, as for a real store. Required for {@link #hang()}.
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

  /** Executes the next verb and loses its reply. */
  public void loseNextReply() {
    connection.plan.add(null, VerbFault.LOST_REPLY);
  }

  /** Executes the next verb of this kind and loses its reply. */
  public void loseNextReply(VerbKind kind) {
    connection.plan.add(kind, VerbFault.LOST_REPLY);
  }

  /** Loses the next verb on its way to the store; its outcome is unknown to the client. */
  public void loseNextRequest() {
    connection.plan.add(null, VerbFault.LOST_REQUEST);
  }

  /** Loses the next verb of this kind on its way to the store; its outcome is unknown. */
  public void loseNextRequest(VerbKind kind) {
    connection.plan.add(kind, VerbFault.LOST_REQUEST);
  }

  /** Fails the next verb before it reaches the store; the client knows that it was not done. */
  public void failNextNotDone() {
    connection.plan.add(null, VerbFault.NOT_DONE);
  }

  /** Fails the next verb of this kind before it reaches the store. */
  public void failNextNotDone(VerbKind kind) {
    connection.plan.add(kind, VerbFault.NOT_DONE);
  }

  /** Executes the next verb twice and returns the first result. */
  public void doubleNext() {
    connection.plan.add(null, VerbFault.DOUBLED);
  }

  /** Executes the next verb of this kind twice and returns the first result. */
  public void doubleNext(VerbKind kind) {
    connection.plan.add(kind, VerbFault.DOUBLED);
  }

  /** Delays the next verb until {@link #deliverLate()}; its result is unknown. */
  public void delayNext() {
    connection.plan.add(null, VerbFault.LATE);
  }

  /** Delays the next verb of this kind until {@link #deliverLate()}; its result is unknown. */
  public void delayNext(VerbKind kind) {
    connection.plan.add(kind, VerbFault.LATE);
  }

  /**
   * Delivers all delayed verbs to the store and drops their results.
   *
   * @return the number of delivered verbs
   */
  public int deliverLate() {
    return connection.deliverLate();
  }

  /** Refuses the next verb, which does not reach the store. */
  public void refuseNext() {
    connection.plan.add(null, VerbFault.REFUSED);
  }

  /** Refuses the next verb of this kind, which does not reach the store. */
  public void refuseNext(VerbKind kind) {
    connection.plan.add(kind, VerbFault.REFUSED);
  }

  /**
   * Blocks all verbs until {@link #unhang()}, like a store that is stopped. Verbs whose lane was
   * closed in the meantime are delivered late, at {@code unhang()}.
   *
   * @throws IllegalStateException if the engine does not block: the calling thread would hang
   */
  public void hang() {
    if (!traits.blocking()) {
      throw new IllegalStateException(
          "verbs of " + traits.store() + " run on the calling thread; use withLanes");
    }
    connection.hang(true);
  }

  /** Ends {@link #hang()}. */
  public void unhang() {
    connection.hang(false);
    connection.deliverLate();
  }

  /** Cuts the client off: every verb fails as not done, and no wake arrives. */
  public void cut() {
    connection.plan.cut(true);
  }

  /** Cuts the client off for this name: every verb of it fails as not done. */
  public void cut(String name) {
    connection.plan.cut(name, true);
  }

  /** Ends {@link #cut()}. */
  public void heal() {
    connection.plan.cut(false);
  }

  /** Ends {@link #cut(String)}. */
  public void heal(String name) {
    connection.plan.cut(name, false);
  }

  /** Starts or stops losing wakes. */
  public void dropWakes(boolean drop) {
    connection.dropWakes(drop);
  }

  /**
   * Injects random faults into this share of all verbs. Verbs that are delayed arrive at {@link
   * #deliverLate()}.
   *
   * @param share from 0 for none to 1 for all
   */
  public void randomly(long seed, double share) {
    connection.plan.randomly(seed, share);
  }

  /** The verbs that reached the store, in the order of arrival. */
  public List<Seen> reached() {
    return connection.log.all();
  }

  /** The verbs of this kind for this name that reached the store, in the order of arrival. */
  public List<Seen> reached(VerbKind kind, String name) {
    return connection.log.all().stream()
        .filter(seen -> seen.kind() == kind && seen.ticket().resource().name().equals(name))
        .toList();
  }

  /**
   * Violations of the rules that engines rely on: two verbs of one ticket at a time, or two
   * attempts for one resource in one batch. Empty for a correct runtime.
   */
  public List<String> breaches() {
    return connection.log.breaches();
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

  /** Returns this engine if it does not block. */
  @Override
  public LockEngine lane() throws EngineException {
    return traits.blocking() ? new FaultyLane(this, real.lane(), connection) : this;
  }

  /** Returns the real counter: faults apply to verbs only. */
  @Override
  public Optional<Counter> counter() {
    return real.counter();
  }

  @Override
  public void reportChangesTo(HoldSignal signal) {
    real.reportChangesTo(connection.filtered(signal));
  }

  /** Returns the real inspector: faults apply to verbs only. */
  @Override
  public Optional<EngineInspector> inspector() {
    return real.inspector();
  }

  @Override
  public void close() {
    connection.hang(false);
    real.close();
  }

  @Override
  public Set<Guarantee> guarantees() throws EngineException {
    return real.guarantees();
  }

  @Override
  public void detach() {
    connection.hang(false);
    real.detach();
  }
}
