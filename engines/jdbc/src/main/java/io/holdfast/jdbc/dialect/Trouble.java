package io.holdfast.jdbc.dialect;

/** What an error of a database means for the statement that met it. */
public enum Trouble {
  /** Rolled back, and worth another try: a deadlock, a lock or statement timeout. */
  AGAIN,
  /** Rolled back, as there is no room on the disk: somebody has to make some. */
  FULL,
  /** The connection is of no use any more. */
  LOST,
  /** This server only reads: a replica, or a master that was demoted. */
  READ_ONLY,
  /** Our tables are not there. */
  NO_TABLE,
  /** It will not get better by itself: rights, passwords, what the database does not understand. */
  REFUSED
}
