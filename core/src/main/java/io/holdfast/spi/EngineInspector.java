package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The operator's side of a store: who holds, who waits, and taking a grant away. Blocks for I/O;
 * may be called from any thread; never touches what belongs to other namespaces or programs.
 */
public interface EngineInspector {

  /** The most lines that one page has. */
  int MAX_PAGE = 1000;

  /**
   * A page of the lines of a namespace whose names start with a prefix, in the order of their
   * names' bytes.
   *
   * @param after the last name of the page before, or empty for the first page
   * @param limit 1 to {@link #MAX_PAGE}
   */
  List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException;

  /** One line, if anybody stands in it or a mark is on it. */
  Optional<LineView> show(Resource resource) throws EngineException;

  /**
   * Asks a holder to go: its next renewal answers {@link Renewal.Cause#REVOKED} with the reason;
   * rivals get in when it has left or its lease has ended.
   *
   * @param token a token of the grant that the operator saw, handed over or not
   * @param reason not blank; the holder sees it
   */
  Verdict revoke(Resource resource, long token, String reason) throws EngineException;

  /**
   * Takes a grant out at once. The holder learns of it at its next renewal; until then only the
   * token protects the resource.
   *
   * @param token a token of the grant that the operator saw, handed over or not
   * @param reason not blank; the holder sees it
   */
  Verdict evict(Resource resource, long token, String reason) throws EngineException;

  /** What became of an operator's request. */
  enum Verdict {
    /** It is done. */
    DONE,
    /** That token is not in, or not any more: nothing was changed. */
    NOT_CURRENT
  }

  /**
   * A resource as it stands.
   *
   * @param tickets those that are in and those that wait, in the order of the line
   * @param marked how long the mark of a finished run stays, if there is one
   * @param unlisted whether somebody waits who is not among the tickets: some stores keep no list
   *     of those who wait without an order, and only know that there are any
   */
  record LineView(
      Resource resource,
      Shape shape,
      List<TicketView> tickets,
      Optional<Duration> marked,
      boolean unlisted) {

    public LineView {
      tickets = List.copyOf(tickets);
    }

    /** A line of which everybody is listed. */
    public LineView(
        Resource resource, Shape shape, List<TicketView> tickets, Optional<Duration> marked) {
      this(resource, shape, tickets, marked, false);
    }
  }

  /**
   * A ticket without its secret.
   *
   * @param token the grant's token, 0 when it waits
   * @param age since it joined
   * @param leaseLeft until the store forgets it
   */
  record TicketView(
      State state, Owner owner, long token, int weight, Duration age, Duration leaseLeft) {

    /** Where a ticket is in its life. */
    public enum State {
      /** It is in. */
      HOLDING,
      /** It is in, and was asked to go. */
      REVOKED,
      /** It is in line. */
      WAITING
    }
  }
}
