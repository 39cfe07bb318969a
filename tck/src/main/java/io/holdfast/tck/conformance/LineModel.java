package io.holdfast.tck.conformance;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A small pure model of the rules of {@link io.holdfast.spi.LockEngine}.
 *
 * <p>It receives every verb with its result, in the order in which the store executed them, and
 * throws if a result breaks a rule. Where the rules leave an engine a choice, the model follows the
 * engine: whether a lease that ends about now has ended, or whether a free mutex in order ANY is
 * reserved for a waiter. Not thread-safe.
 */
public final class LineModel {

  private final Map<Resource, ResourceModel> lines = new HashMap<>();
  private final Map<Ticket.Id, Span> departed = new HashMap<>();
  private final Duration slack;
  private final int silentWaiterLeases;
  private int generation;

  /**
   * Creates the model of an empty store.
   *
   * @param slack how much later than promised a lease may end
   */
  public LineModel(Duration slack) {
    this(slack, 1);
  }

  /**
   * Creates the model of an empty store.
   *
   * @param slack how much later than promised a lease may end
   * @param silentWaiterLeases for how many leases at most a waiter stays in line that does not
   *     repeat its attempt: see {@link EngineUnderTest#silentWaiterLeases()}
   */
  public LineModel(Duration slack, int silentWaiterLeases) {
    this.slack = slack;
    this.silentWaiterLeases = silentWaiterLeases;
  }

  /**
   * The interval in which a verb was executed: not before it was sent and not after it was
   * completed.
   */
  public record Span(long from, long to) {

    Span plus(Duration earliest, Duration latest) {
      return new Span(from + earliest.toNanos(), to + latest.toNanos());
    }

    /** Returns whether this is surely over at that time. */
    boolean surelyBefore(Span time) {
      return time.from - to >= 0;
    }

    /** Returns whether this surely lies ahead of that time. */
    boolean surelyAfter(Span time) {
      return time.to - from < 0;
    }
  }

  /** Checks the result of an attempt. */
  public void attempted(Ticket ticket, Standing answer, Span when) {
    require(!isOut(ticket, when), "a ticket that has left may not join", ticket, answer);
    require(ticket.generation() >= generation, "an old generation is refused", ticket, answer);
    generation = Math.max(generation, ticket.generation());
    line(ticket).attempted(ticket, answer, when);
  }

  /** Checks the refusal of an attempt. */
  public void refused(Ticket ticket, EngineException.Refused refusal, Span when) {
    Span out = departed.get(ticket.id());
    boolean mayBeOut = out != null && !out.surelyBefore(when);
    if (!mayBeOut && ticket.generation() >= generation) {
      line(ticket).refused(ticket, refusal, when);
    }
  }

  /** Checks the result of a renewal. */
  public void renewed(Ticket ticket, Renewal answer, Span when) {
    line(ticket).renewed(ticket, answer, when);
  }

  /** Checks the result of a leave. */
  public void left(Ticket ticket, boolean inDoubt, Left answer, Span when) {
    if (inDoubt) {
      departed.put(ticket.id(), when.plus(ticket.lease(), ticket.lease().plus(slack)));
    }
    line(ticket).left(ticket, answer, when);
  }

  /** Checks the result of a settle. */
  public void settled(Ticket ticket, Duration keep, boolean answer, Span when) {
    line(ticket).settled(ticket, keep, answer, when);
  }

  /** Checks the result of a resize. */
  public void resized(Ticket ticket, boolean answer, Span when) {
    line(ticket).resized(ticket, answer, when);
  }

  private boolean isOut(Ticket ticket, Span when) {
    Span out = departed.get(ticket.id());
    return out != null && out.surelyAfter(when);
  }

  private ResourceModel line(Ticket ticket) {
    return lines.computeIfAbsent(
        ticket.resource(), r -> new ResourceModel(slack, silentWaiterLeases));
  }

  static void require(boolean kept, String rule, Ticket ticket, Object answer) {
    if (!kept) {
      throw new AssertionError(
          rule + ": " + ticket.id() + " of " + ticket.resource() + " got " + answer);
    }
  }
}
