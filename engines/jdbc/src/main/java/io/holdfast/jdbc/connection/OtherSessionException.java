package io.holdfast.jdbc.connection;

import java.sql.SQLException;

/**
 * Reports a reply from another session than that of the locks.
 *
 * <p>It happens with a driver that reconnects by itself, or a proxy that moves sessions. None of
 * our locks are there, and the connection is useless.
 */
public final class OtherSessionException extends SQLException {

  private static final long serialVersionUID = 1L;

  /** The SQL state of a connection that does not exist. */
  private static final String STATE = "08003";

  /** Counts as a lost connection. */
  public OtherSessionException() {
    super("another session replied", STATE);
  }
}
