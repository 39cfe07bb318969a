package io.holdfast.jdbc.wire;

import java.sql.SQLException;

/**
 * Another session answered than the one that something lives on: a driver that connects again by
 * itself, a proxy that moves sessions. Nothing of ours is there, and its connection is of no use.
 */
public final class AnotherSession extends SQLException {

  private static final long serialVersionUID = 1L;

  /** That of a connection which does not exist. */
  private static final String STATE = "08003";

  /** An error that counts as a lost connection. */
  public AnotherSession() {
    super("another session answered", STATE);
  }
}
