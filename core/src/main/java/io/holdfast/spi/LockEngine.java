package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The code for one store. An engine knows tickets and lines; waiting, renewing, retrying and giving
 * up are the runtime's.
 *
 * <p>The rules, each a chapter of the conformance kit:
 *
 * <ol>
 *   <li><b>Idempotent by ticket id.</b> Any verb may be repeated after a lost reply: same effect,
 *       same token. A repeated attempt of a granted ticket renews it.
 *   <li><b>Arm, then look.</b> When an attempt answers Waiting and the store can signal, the signal
 *       was armed before the state was read.
 *   <li><b>Durations only, counted from this call.</b> No clock of a client is compared with a
 *       clock of the store. Engines answer what the store promised; drift is the runtime's.
 *   <li><b>A dead waiter vanishes like a dead holder</b>, within one lease in total however many
 *       died.
 *   <li><b>Renew never joins, resurrects or steals</b>, and never brings the end of a lease nearer:
 *       the new end is the later of the old one and now + lease. Gone is final.
 *   <li><b>One verb per ticket at a time.</b> The runtime keeps this one; engines rely on it.
 *   <li><b>Places are seen in order.</b> No ticket appears ahead of one that was told its place.
 *   <li><b>Left is final.</b> For one lease after leave returned, no earlier attempt of that ticket
 *       may join. One that is held up for longer may: it is a ticket that nobody speaks for, and
 *       ends with its lease.
 *   <li><b>One shape.</b> An attempt of another kind, capacity or order than the line has is
 *       refused at once, naming both, in the same atomic step as a grant would be.
 *   <li><b>A batch never carries two attempts for one resource</b>, and completes each verb on its
 *       own, exactly once.
 * </ol>
 *
 * <p>Verbs are called by one lane thread at a time on the object that {@link #lane()} answered; an
 * engine that is not {@link EngineTraits#blocking()} is called from any thread. Tickets of one
 * batch need not be friends: they may belong to strangers.
 */
public interface LockEngine extends AutoCloseable {

  /**
   * Joins once and says where the ticket stands. For a waiting ticket it is the sign of life; for a
   * granted one it renews, and shrinks it in place when the weight is smaller than before.
   *
   * @param wake called when it is worth asking again; replaces the wake of earlier attempts
   */
  Standing attempt(Ticket ticket, Wake wake) throws EngineException;

  /**
   * Keeps a granted ticket for another lease at least, or says that it is gone. If more is left
   * already, that stays, and may be answered.
   */
  Renewal renew(Ticket ticket) throws EngineException;

  /**
   * Takes the ticket out, whether it waits or is granted.
   *
   * @param inDoubt an attempt of this ticket has not been answered and may arrive later: remember
   *     for one lease that the ticket has left, and refuse it then
   */
  Left leave(Ticket ticket, boolean inDoubt) throws EngineException;

  /**
   * Turns a granted ticket of kind {@link Shape.Kind#ONCE} into a mark that outlives its maker;
   * until it ends, attempts answer {@link Standing.Done}.
   *
   * @param keep how long, counted from this call
   * @return false when the ticket was not in any more, and no mark was set
   */
  boolean settle(Ticket ticket, Duration keep) throws EngineException;

  /**
   * Gives the line the capacity of the ticket's shape in one step; the ticket itself does not join.
   * Waiters that fit now are woken. Holders beyond a smaller capacity stay until they leave.
   *
   * @return false when there is no line to resize
   */
  boolean resize(Ticket ticket) throws EngineException;

  /** What this engine promises; the same at every call. */
  EngineTraits traits();

  /**
   * Runs a batch and completes each verb exactly once. Engines that can do it override this with
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
   * An engine over a connection of its own, for one lane thread, which opens it, uses it and closes
   * it. An engine without connections answers itself. {@link #close()} of the answer may come from
   * another thread, to break off a verb that takes too long.
   */
  default LockEngine lane() throws EngineException {
    return this;
  }

  /**
   * Sets where to report that records of held resources have changed. The runtime calls it once,
   * before the first verb. Engines whose store cannot signal such changes ignore it.
   */
  default void reportChangesTo(HoldSignal signal) {}

  /** How the engine and its store are, as last seen; no I/O, any thread. */
  default EngineCondition condition() {
    return EngineCondition.WELL;
  }

  /**
   * Returns why a shape that {@link #traits()} does not claim cannot be served: a clause that can
   * follow a colon, or nothing. {@link Refusals#notServed} puts it into a sentence.
   */
  default String whyNot(Shape shape) {
    return "";
  }

  /** The operator's side, if the engine has one. */
  default Optional<EngineInspector> inspector() {
    return Optional.empty();
  }

  /** Blocks of numbers for ids, if the store can give them out; the same at every call. */
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
   * process that has a ticket can go on with it.
   */
  default void detach() {
    close();
  }
}
