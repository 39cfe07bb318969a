package io.holdfast.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lists holders and waiters of a store and takes grants away, for operators.
 *
 * <p>Blocks for I/O; thread-safe; never touches records of other namespaces or programs.
 */
public interface EngineInspector {

  /** The largest number of lines in one page. */
  int MAX_PAGE = 1000;

  /**
   * Returns a page of the lines of a namespace whose names start with a prefix, in the order of
   * their names' bytes.
   *
   * @param after the last name of the previous page, or empty for the first page
   * @param limit 1 to {@link #MAX_PAGE}
   */
  List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException;

  /** Returns one line, if a ticket or a mark is in it. */
  Optional<LineView> show(Resource resource) throws EngineException;

  /**
   * Asks a holder to release: its next renewal returns {@link Renewal.Cause#REVOKED} with the
   * reason. Rivals get in when the holder has left or its lease has ended.
   *
   * @param token a token of the grant that the operator saw, handed over or not
   * @param reason not blank; the holder sees it
   */
  Verdict revoke(Resource resource, long token, String reason) throws EngineException;

  /**
   * Removes a grant at once. The holder is notified by a signal or at its next renewal; until then
   * only the token protects the resource.
   *
   * @param token a token of the grant that the operator saw, handed over or not
   * @param reason not blank; the holder sees it
   */
  Verdict evict(Resource resource, long token, String reason) throws EngineException;

  /** The result of an operator's request. */
  enum Verdict {
    /** The request was executed. */
    DONE,
    /** That token is not granted, or not any more: nothing was changed. */
    NOT_CURRENT
  }

  /**
   * A resource and the tickets in its line.
   *
   * @param tickets holders and waiters, in the order of the line
   * @param marked how long the mark of a finished run stays, if there is one
   * @param unlisted whether there are waiters that are not listed: some stores keep no list of
   *     waiters without an order, and only know that there are any
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

    /** Creates a line whose tickets are all listed. */
    public LineView(
        Resource resource, Shape shape, List<TicketView> tickets, Optional<Duration> marked) {
      this(resource, shape, tickets, marked, false);
    }
  }

  /**
   * A ticket without its secret.
   *
   * @param token the grant's token, 0 while it waits
   * @param age the time since it joined
   * @param leaseLeft the time until the store removes it
   */
  record TicketView(
      State state, Owner owner, long token, int weight, Duration age, Duration leaseLeft) {

    /** The state of a ticket. */
    public enum State {
      /** It is granted. */
      HOLDING,
      /** It is granted, and its holder was asked to release. */
      REVOKED,
      /** It waits. */
      WAITING
    }
  }
}
