package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The code for one store.
 *
 * <p>An engine implements tickets and lines. The runtime waits, renews, retries and gives up.
 *
 * <p>The rules, each a chapter of the conformance kit:
 *
 * <ol>
 *   <li><b>Idempotent by ticket id.</b> Any verb may be repeated after a lost reply: same effect,
 *       same token. A repeated attempt of a granted ticket renews it.
 *   <li><b>Arm, then look.</b> When an attempt returns Waiting and the store can signal, the signal
 *       was armed before the state was read.
 *   <li><b>Durations only, counted from this call.</b> No clock of a client is compared with a
 *       clock of the store. Engines return what the store promised; the runtime subtracts the
 *       drift.
 *   <li><b>A dead waiter disappears like a dead holder</b>, within one lease in total however many
 *       died.
 *   <li><b>Renew never joins, resurrects or steals</b>, and never brings the end of a lease nearer:
 *       the new end is the later of the old one and now + lease. Gone is final.
 *   <li><b>One verb per ticket at a time.</b> The runtime enforces this; engines rely on it.
 *   <li><b>Places are seen in order.</b> No ticket appears ahead of a ticket whose place was
 *       reported.
 *   <li><b>Left is final.</b> For one lease after leave returned, no earlier attempt of that ticket
 *       may join. An attempt that is delayed for longer may: it is a ticket without a caller, and
 *       ends with its lease.
 *   <li><b>One shape.</b> An attempt of another kind, capacity or order than the line has is
 *       refused at once, naming both, in the same atomic step as a grant would be.
 *   <li><b>A batch never carries two attempts for one resource</b>, and completes each verb on its
 *       own, exactly once.
 * </ol>
 *
 * <p>Verbs are called by one lane thread at a time on the object that {@link #lane()} returned; an
 * engine that is not {@link EngineTraits#blocking()} is called from any thread. Tickets of one
 * batch are unrelated: they may belong to different clients.
 */
public interface LockEngine extends AutoCloseable {

  /**
   * Joins once and returns where the ticket stands. A waiting ticket is kept alive by it; a granted
   * ticket is renewed, and shrunk in place when the weight is smaller than before.
   *
   * @param wake called when another attempt is worthwhile; replaces the wake of earlier attempts
   */
  Standing attempt(Ticket ticket, Wake wake) throws EngineException;

  /**
   * Keeps a granted ticket for another lease at least, or reports that it is gone. If more is left
   * already, that stays, and may be returned.
   */
  Renewal renew(Ticket ticket) throws EngineException;

  /**
   * Removes the ticket, whether it waits or is granted.
   *
   * @param inDoubt an attempt of this ticket got no reply and may arrive later: remember for one
   *     lease that the ticket has left, and refuse it then
   */
  Left leave(Ticket ticket, boolean inDoubt) throws EngineException;

  /**
   * Turns a granted ticket into a record that outlives its client and that nobody renews.
   *
   * <p>A ticket of kind {@link Shape.Kind#ONCE} becomes a mark: until it ends, attempts return
   * {@link Standing.Done}. A ticket of kind {@link Shape.Kind#MUTEX} stays in the line: until it
   * ends, attempts of other tickets return {@link Standing.Waiting}, waiters keep their places, and
   * closing the engine does not end it. It ends after {@code keep}, even if that is less than the
   * lease, and waiters learn of it as of a lease that has ended. No other verb follows for the
   * ticket, except {@code settle} after a missing reply; late ones do not change what is kept, so a
   * store keeps it under {@link Ticket.Id#kept} or in a record that only {@code settle} writes.
   * Other kinds are refused.
   *
   * @param keep how long at least, counted from this call
   * @return false when the ticket was not granted any more, and nothing was changed
   */
  boolean settle(Ticket ticket, Duration keep) throws EngineException;

  /**
   * Sets the capacity of the line to that of the ticket's shape in one step; the ticket itself does
   * not join. Waiters that fit now are woken. Holders beyond a smaller capacity stay until they
   * leave.
   *
   * @return false when there is no line to resize
   */
  boolean resize(Ticket ticket) throws EngineException;

  /** Returns the promises of this engine and how to drive it; the same at every call. */
  EngineTraits traits();

  /**
   * Returns the guarantees of the store. They are those of the {@link #traits()}, unless the engine
   * learns them from a server: then it asks the server if it has not yet, and may block as long as
   * a verb.
   *
   * @throws EngineException when no server replied so far
   */
  default Set<Guarantee> guarantees() throws EngineException {
    return traits().guarantees();
  }

  /**
   * Runs a batch and completes each verb exactly once. Engines that can do so override this with
   * one trip and one commit.
   */
  default void perform(List<Verb> batch) {
    for (Verb verb : batch) {
      if (!verb.isComplete()) {
        verb.runOn(this);
      }
    }
  }

  /**
   * Returns an engine over a connection of its own, for one lane thread, which opens it, uses it
   * and closes it. An engine without connections returns itself. {@link #close()} of the result may
   * be called from another thread, to abort a verb that takes too long.
   */
  default LockEngine lane() throws EngineException {
    return this;
  }

  /**
   * Sets where to report that records of held resources have changed. The runtime calls it once,
   * before the first verb. Engines whose store cannot signal such changes ignore it.
   */
  default void reportChangesTo(HoldSignal signal) {}

  /** Returns the condition of the engine and its store, as last seen. No I/O; thread-safe. */
  default EngineCondition condition() {
    return EngineCondition.WELL;
  }

  /**
   * Returns why a shape that {@link #traits()} does not claim is not supported: a clause that can
   * follow a colon, or nothing. {@link Refusals#notServed} puts it into a sentence.
   */
  default String whyNot(Shape shape) {
    return "";
  }

  /** Returns the inspector for operators, if the engine has one. */
  default Optional<EngineInspector> inspector() {
    return Optional.empty();
  }

  /** Returns the counter for ids, if the store has one; the same at every call. */
  default Optional<Counter> counter() {
    return Optional.empty();
  }

  /**
   * Closes connections and threads. Tickets that live on a session or lease of this engine may end
   * with it at once; all others stay in the store until their lease ends. The runtime has left its
   * tickets before.
   */
  @Override
  void close();

  /**
   * Closes connections and threads, and leaves every ticket in the store until its lease ends, as
   * far as the store can keep it without this engine. With {@link Guarantee#PORTABLE_TICKETS} any
   * process that has a ticket can continue with it.
   */
  default void detach() {
    close();
  }
}
