package io.holdfast.tck.faults;

/** The ways in which a network fails between one client and its store. */
public enum Cut {
  /** Connections are closed and new ones are refused. */
  CLOSED,
  /** Half-open: connections stay open, and what is sent either way is lost. */
  SILENT,
  /** Nothing passes either way, nothing is lost: all of it arrives when the link is healed. */
  DELAYED,
  /** Requests pass; replies arrive when the link is healed. */
  REPLIES_DELAYED
}
