package io.holdfast.spi.support;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refuses verbs that a store can never serve, before the store is contacted. Immutable.
 *
 * <p>Each check depends on the verb alone, so a refused verb costs no trip, changes nothing in the
 * store and is reported even while the store is unreachable. The sentences are the same for every
 * engine: see {@link Refusals}.
 *
 * <table>
 * <caption>What is checked</caption>
 * <tr><th>verb</th><th>refused when</th></tr>
 * <tr><td>attempt</td><td>the traits do not claim the shape, or the lease is above the limit</td></tr>
 * <tr><td>renew</td><td>the lease is above the limit</td></tr>
 * <tr><td>settle</td><td>the shape is neither {@link Shape.Kind#ONCE} nor a mutex, or the traits do
 *     not claim it, or the store {@linkplain EngineTraits#keeps keeps} nothing</td></tr>
 * <tr><td>resize</td><td>the shape is not a semaphore with a stated number of permits, or the traits
 *     do not claim it</td></tr>
 * <tr><td>leave</td><td>never: whatever a ticket is, it may go</td></tr>
 * </table>
 *
 * <p>A lane filters its batch first:
 *
 * <pre>{@code
 * for (Verb verb : admission.admit(batch)) {
 *   // send it; a verb that is not here is complete
 * }
 * }</pre>
 *
 * <p>An engine whose verbs are plain methods calls {@link #requireAttempt}, {@link #requireRenew},
 * {@link #requireSettle} and {@link #requireResize} instead. Checks that need the state of the line
 * (another shape, a departed ticket, too much weight) belong in the atomic step of the store, not
 * here.
 */
public final class Admission {

  /** The longest lease, and what the refusal of a longer one says. */
  private record LeaseLimit(Duration longest, String why) {}

  private final EngineTraits traits;
  private final Refusals refusals;
  private final Function<Shape, String> whyNot;
  private final @Nullable LeaseLimit leaseLimit;

  private Admission(
      EngineTraits traits, Function<Shape, String> whyNot, @Nullable LeaseLimit leaseLimit) {
    this.traits = traits;
    this.refusals = new Refusals(traits.store());
    this.whyNot = whyNot;
    this.leaseLimit = leaseLimit;
  }

  /** Creates an admission of every shape that the traits claim, with leases of any length. */
  public static Admission of(EngineTraits traits) {
    return new Admission(traits, shape -> "", null);
  }

  /**
   * Returns a copy that gives a reason for shapes that are not served.
   *
   * @param reason a clause that can follow a colon, or an empty text; usually {@link
   *     LockEngine#whyNot} of the engine
   */
  public Admission explainedBy(Function<Shape, String> reason) {
    return new Admission(traits, reason, leaseLimit);
  }

  /**
   * Returns a copy that refuses leases above a limit.
   *
   * @param longest the longest lease that is admitted
   * @param why a clause that can follow a colon: names the limit, its reason, and what to do
   */
  public Admission withLongestLease(Duration longest, String why) {
    return new Admission(traits, whyNot, new LeaseLimit(longest, why));
  }

  /** Returns the refusals of this store, for what only the store itself can decide. */
  public Refusals refusals() {
    return refusals;
  }

  /**
   * Completes a verb with its refusal, if it has one.
   *
   * @return whether to send the verb: false when it was refused now or is already complete
   */
  public boolean admit(Verb verb) {
    if (!verb.isComplete()) {
      refusalOf(verb).ifPresent(verb::fail);
    }
    return !verb.isComplete();
  }

  /** Completes the refused verbs of a batch and returns the others in their order. */
  public List<Verb> admit(List<Verb> batch) {
    List<Verb> admitted = new ArrayList<>(batch.size());
    for (Verb verb : batch) {
      if (admit(verb)) {
        admitted.add(verb);
      }
    }
    return admitted;
  }

  /** Returns the refusal of a verb, without completing it; empty when it is to be sent. */
  public Optional<Refused> refusalOf(Verb verb) {
    return Optional.ofNullable(refusal(verb));
  }

  /** Checks the ticket of {@link LockEngine#attempt}. */
  public void requireAttempt(Ticket ticket) throws Refused {
    require(ofAttempt(ticket));
  }

  /** Checks the ticket of {@link LockEngine#renew}. */
  public void requireRenew(Ticket ticket) throws Refused {
    require(ofRenew(ticket));
  }

  /** Checks the ticket of {@link LockEngine#settle}. */
  public void requireSettle(Ticket ticket) throws Refused {
    require(ofSettle(ticket));
  }

  /** Checks the ticket of {@link LockEngine#resize}. */
  public void requireResize(Ticket ticket) throws Refused {
    require(ofResize(ticket));
  }

  private static void require(@Nullable Refused refusal) throws Refused {
    if (refusal != null) {
      throw refusal;
    }
  }

  private @Nullable Refused refusal(Verb verb) {
    if (verb instanceof Verb.Attempt) {
      return ofAttempt(verb.ticket());
    } else if (verb instanceof Verb.Renew) {
      return ofRenew(verb.ticket());
    } else if (verb instanceof Verb.Settle) {
      return ofSettle(verb.ticket());
    }
    return verb instanceof Verb.Resize ? ofResize(verb.ticket()) : null;
  }

  private @Nullable Refused ofAttempt(Ticket ticket) {
    Refused notServed = ofShape(ticket);
    return notServed == null ? ofLease(ticket) : notServed;
  }

  private @Nullable Refused ofRenew(Ticket ticket) {
    return ofLease(ticket);
  }

  private @Nullable Refused ofSettle(Ticket ticket) {
    Shape.Kind kind = ticket.shape().kind();
    boolean settles = kind == Shape.Kind.ONCE || (kind == Shape.Kind.MUTEX && traits.keeps());
    return settles ? ofShape(ticket) : refusals.settle(ticket);
  }

  private @Nullable Refused ofResize(Ticket ticket) {
    Shape shape = ticket.shape();
    boolean isSize = shape.kind() == Shape.Kind.SEMAPHORE && shape.capacity() != Shape.ADOPT;
    return isSize ? ofShape(ticket) : refusals.resize(ticket);
  }

  private @Nullable Refused ofShape(Ticket ticket) {
    Shape shape = ticket.shape();
    return traits.serves(shape)
        ? null
        : refusals.notServed(ticket.resource(), shape, whyNot.apply(shape));
  }

  private @Nullable Refused ofLease(Ticket ticket) {
    LeaseLimit limit = leaseLimit;
    return limit == null || ticket.lease().compareTo(limit.longest) <= 0
        ? null
        : new Refused(
            refusals.about(ticket)
                + " cannot be held with a lease of "
                + DurationText.of(ticket.lease())
                + ": "
                + limit.why);
  }
}
