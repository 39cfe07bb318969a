package io.holdfast.jdbc.wire;

import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from. Called by the threads that use them; may block. */
public interface Connector {

  /**
   * A connection.
   *
   * @throws SQLException when the database does not give one
   * @throws EngineException.Refused when it never will, as nobody knows how to reach it
   */
  Connection connect() throws SQLException, EngineException.Refused;

  /** Whether connections are somebody else's, and are given back as they were. */
  boolean lends();
}
