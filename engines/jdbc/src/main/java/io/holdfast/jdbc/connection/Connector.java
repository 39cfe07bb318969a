package io.holdfast.jdbc.connection;

import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;

/** A source of connections. Called by the threads that use them; may block. */
public interface Connector {

  /**
   * Returns a connection.
   *
   * @throws SQLException when the database does not accept the connection
   * @throws EngineException.Refused when it never will, because no driver knows the address
   */
  Connection connect() throws SQLException, EngineException.Refused;

  /** Returns whether connections are caller-supplied, and must be given back as they were. */
  boolean isCallerSupplied();
}
