package io.holdfast.tck;

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
 * The rules of {@link io.holdfast.spi.LockEngine} as a small pure model. It is shown every verb
 * with its answer, in the order in which the store executed them, and says which answer breaks a
 * rule.
 *
 * <p>Where the rules leave an engine a choice, the model follows what the engine chose: whether a
 * lease that ends about now has ended, or whether a free mutex without an order is kept for one
 * that waits. Not for several threads.
 */
public final class LineModel {

  private final Map<Resource, ModelLine> lines = new HashMap<>();
  private final Map<Ticket.Id, Span> departed = new HashMap<>();
  private final Duration slack;
  private int generation;

  /**
   * An empty store.
   *
   * @param slack how much later than promised a lease may end
   */
  public LineModel(Duration slack) {
    this.slack = slack;
  }

  /**
   * When something happens, as far as the caller can tell: not before the verb was sent and not
   * after it was answered.
   */
  public record Span(long from, long to) {

    Span plus(Duration earliest, Duration latest) {
      return new Span(from + earliest.toNanos(), to + latest.toNanos());
    }

    /** Whether this is surely over at that time. */
    boolean surelyBefore(Span time) {
      return time.from - to >= 0;
    }

    /** Whether this surely lies ahead of that time. */
    boolean surelyAfter(Span time) {
      return time.to - from < 0;
    }
  }

  /** An attempt was answered. */
  public void attempted(Ticket ticket, Standing answer, Span when) {
    require(!isOut(ticket, when), "a ticket that has left may not join", ticket, answer);
    require(ticket.generation() >= generation, "an old generation is refused", ticket, answer);
    generation = Math.max(generation, ticket.generation());
    line(ticket).attempted(ticket, answer, when);
  }

  /** An attempt was refused. */
  public void refused(Ticket ticket, EngineException.Refused refusal, Span when) {
    Span out = departed.get(ticket.id());
    boolean mayBeOut = out != null && !out.surelyBefore(when);
    if (!mayBeOut && ticket.generation() >= generation) {
      line(ticket).refused(ticket, refusal, when);
    }
  }

  /** A renewal was answered. */
  public void renewed(Ticket ticket, Renewal answer, Span when) {
    line(ticket).renewed(ticket, answer, when);
  }

  /** A leave was answered. */
  public void left(Ticket ticket, boolean inDoubt, Left answer, Span when) {
    if (inDoubt) {
      departed.put(ticket.id(), when.plus(ticket.lease(), ticket.lease().plus(slack)));
    }
    line(ticket).left(ticket, answer, when);
  }

  /** A settle was answered. */
  public void settled(Ticket ticket, Duration keep, boolean answer, Span when) {
    line(ticket).settled(ticket, keep, answer, when);
  }

  /** A resize was answered. */
  public void resized(Ticket ticket, boolean answer, Span when) {
    line(ticket).resized(ticket, answer, when);
  }

  private boolean isOut(Ticket ticket, Span when) {
    Span out = departed.get(ticket.id());
    return out != null && out.surelyAfter(when);
  }

  private ModelLine line(Ticket ticket) {
    return lines.computeIfAbsent(ticket.resource(), r -> new ModelLine(slack));
  }

  static void require(boolean kept, String rule, Ticket ticket, Object answer) {
    if (!kept) {
      throw new AssertionError(
          rule + ": " + ticket.id() + " of " + ticket.resource() + " was answered " + answer);
    }
  }
}
